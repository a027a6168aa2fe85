import { fileTypeFromBuffer } from 'file-type'
import type { Content } from './file-types.ts'
import { programIn } from './programs.ts'
import { copyOf } from './surroundings.ts'
import { utf8MarkBytes } from './text/text-bytes.ts'

/** What the first bytes say. `text` means that nothing speaks against it yet. */
export function tellContent(head: Uint8Array): Content {
  if (programIn(head) !== undefined) return 'program'
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (isSplitArchive(head)) return 'zip'
  if (pdfHeaderAt(head) !== undefined) return 'pdf'
  if (startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  if (startsWith(head, 0xff, 0xd8, 0xff)) return 'jpeg'
  if (startsWith(head, 0x49, 0x49, 0x2a, 0x00) || startsWith(head, 0x4d, 0x4d, 0x00, 0x2a)) return 'tiff'
  if (startsWith(head, 0x49, 0x49, 0x2b, 0x00) || startsWith(head, 0x4d, 0x4d, 0x00, 0x2b)) return 'tiff'
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) return 'compound'
  return 'text'
}

/** A ZIP that was split has a mark before its first entry, also where one part was enough. */
export function isSplitArchive(head: Uint8Array): boolean {
  const isMarked = startsWith(head, 0x50, 0x4b, 0x07, 0x08) || startsWith(head, 0x50, 0x4b, 0x30, 0x30)
  return isMarked && startsWith(head.subarray(4), 0x50, 0x4b, 0x03, 0x04)
}

/** Where `%PDF-` stands: at the start, or behind a byte order mark or white space that some producers write. */
export function pdfHeaderAt(head: Uint8Array): number | undefined {
  let at = utf8MarkBytes(head)
  while (at < 64 && [0x20, 0x09, 0x0a, 0x0d].includes(head[at] ?? 0)) at++
  return startsWith(head.subarray(at), 0x25, 0x50, 0x44, 0x46, 0x2d) ? at : undefined
}

/** A name for content that is none of the supported kinds, as a library of signatures knows it. */
export async function nameOther(head: Uint8Array): Promise<string | undefined> {
  try {
    // A copy of a bounded head: the library follows lengths that the content states, and can go no further than this.
    const found = await fileTypeFromBuffer(copyOf(head.subarray(0, 4100)))
    return found === undefined ? undefined : `${found.ext.toUpperCase()} (${found.mime})${adviceFor(found)}`
  } catch {
    return undefined
  }
}

const ARCHIVES = new Set('7z rar tar tar.gz gz bz2 xz zst lz lz4 Z cab ar cpio'.split(' '))

/** What to do with a file that can be brought into a supported type. */
function adviceFor({ ext, mime }: { readonly ext: string; readonly mime: string }): string {
  if (ARCHIVES.has(ext)) return '; unpack it, or pack what is in it as ZIP'
  return mime.startsWith('image/') ? '; save it as PNG or JPEG' : ''
}

function startsWith(bytes: Uint8Array, ...start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
