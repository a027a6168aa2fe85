import { viewOf } from '../platform/sources.ts'

export interface PackagedFile {
  readonly name: string
  readonly content: Uint8Array
  /** Every name that it has. Programs use different ones. */
  readonly names: readonly string[]
}

/** A file that was dragged into a document: label, path, temporary path and content ([MS-OLEDS] 2.3.6, Ole10Native). */
export function packagedFile(native: Uint8Array): PackagedFile {
  const view = viewOf(native)
  const label = textAt(native, 6)
  const path = textAt(native, label.end)
  // Two numbers, then the length of the temporary path.
  const at = path.end + 8
  const pathBytes = path.end + 8 <= native.length ? view.getUint32(path.end + 4, true) : 0
  const temporary = textAt(native, at)
  const sizeAt = at + pathBytes
  const names = [label.text, path.text, temporary.text].map(baseName).filter((name) => name !== '')
  const size = sizeAt + 4 <= native.length ? view.getUint32(sizeAt, true) : 0
  const content = native.subarray(sizeAt + 4, sizeAt + 4 + size)
  // Other programs write their data without names.
  if (size === 0 || content.length === 0 || names.length === 0)
    return { name: names[0] ?? 'object', content: native.subarray(4), names }
  return { name: names[0] as string, content, names }
}

function textAt(bytes: Uint8Array, from: number): { readonly text: string; readonly end: number } {
  const end = bytes.indexOf(0, from)
  if (end === -1 || end - from > 1024) return { text: '', end: from }
  return { text: new TextDecoder('latin1').decode(bytes.subarray(from, end)), end: end + 1 }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1).trim()
