import { fileTypeFromBuffer } from 'file-type'
import { copyOf } from '../platform/sources.ts'

/** Describes content of an unsupported type, for the message to the supplier. */
export async function describeUnknown(head: Uint8Array): Promise<string | undefined> {
  try {
    // A bounded copy: the library follows lengths that the content states, and can read no further than this.
    const found = await fileTypeFromBuffer(copyOf(head.subarray(0, 4100)))
    return found === undefined ? undefined : `${found.ext.toUpperCase()} (${found.mime})${adviceFor(found)}`
  } catch {
    return undefined
  }
}

const ARCHIVES = new Set('7z rar tar tar.gz gz bz2 xz zst lz lz4 Z cab ar cpio'.split(' '))

function adviceFor({ ext, mime }: { readonly ext: string; readonly mime: string }): string {
  if (ARCHIVES.has(ext)) return '; unpack it, or repack its contents as ZIP'
  return mime.startsWith('image/') ? '; save it as PNG or JPEG' : ''
}
