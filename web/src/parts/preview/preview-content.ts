import { delimitedRows } from '../../core/delimited-rows.ts'
import { nameText } from '../../core/readable.ts'

/** What a file looks like, from its first bytes. */
export type Preview =
  | { readonly is: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly is: 'table'; readonly rows: readonly (readonly string[])[]; readonly isCut: boolean }
  /** A raster image. SVG is shown as text. */
  | { readonly is: 'image'; readonly mediaType: string }
  | { readonly is: 'pdf' }
  | { readonly is: 'large' }
  | { readonly is: 'empty' }
  | { readonly is: 'none' }

/** How much of a file is read for a preview. */
export const HEAD_BYTES = 128 * 1024
export const IMAGE_LIMIT_BYTES = 20 * 1024 * 1024
export const PDF_LIMIT_BYTES = 50 * 1024 * 1024

const MAX_ROWS = 200
const MAX_COLUMNS = 40

/** `head`: the first bytes of the file, which has `sizeBytes` in all. */
export function previewOf(name: string, head: Uint8Array, sizeBytes: number): Preview {
  if (sizeBytes === 0) return { is: 'empty' }
  const mediaType = imageType(head)
  if (mediaType !== undefined)
    return sizeBytes <= IMAGE_LIMIT_BYTES ? { is: 'image', mediaType } : { is: 'none' }
  if (isPdf(head)) return { is: sizeBytes <= PDF_LIMIT_BYTES ? 'pdf' : 'large' }
  const text = textOf(head)
  if (text === undefined) return { is: 'none' }
  const isCut = head.length < sizeBytes
  if (!/\.(csv|tsv)$/i.test(name)) return { is: 'text', text, isCut }
  // The last line may be incomplete.
  const lines = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const rows = firstRows(lines)
  if (rows.length === 0) return { is: 'text', text, isCut }
  return { is: 'table', rows, isCut: isCut || rows.length === MAX_ROWS }
}

/** Empty lines are left out. */
function firstRows(text: string): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = []
  for (const row of delimitedRows(text)) {
    if (row.length > 1 || row[0] !== '') rows.push(row.slice(0, MAX_COLUMNS))
    if (rows.length === MAX_ROWS) break
  }
  return rows
}

const IMAGES: readonly (readonly [mediaType: string, signature: RegExp])[] = [
  ['image/png', /^\u0089PNG\r\n/],
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
  // Not every browser can show it.
  ['image/heic', /^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/],
  ['image/bmp', /^BM[^]{4}\0\0\0\0/],
]

function imageType(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 16))
  return IMAGES.find(([, signature]) => signature.test(start))?.[0]
}

const isPdf = (head: Uint8Array): boolean => /^%PDF-\d/.test(String.fromCharCode(...head.subarray(0, 8)))

/** Text with direction marks made visible, or undefined for binary content. */
function textOf(head: Uint8Array): string | undefined {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (!isUtf16 && head.includes(0)) return undefined
  const encoding = !isUtf16 ? 'utf-8' : head[0] === 0xff ? 'utf-16le' : 'utf-16be'
  const text = decoded(head, encoding) ?? new TextDecoder('windows-1252').decode(head)
  const controls = text.match(CONTROLS)?.length ?? 0
  return controls > text.length / 50 ? undefined : nameText(text)
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g

/** The last character may be incomplete. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
