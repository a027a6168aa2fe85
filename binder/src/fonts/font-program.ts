import type { Glyph } from './glyph-outline.ts'

interface FontProgramInput {
  /** The first is the glyph for unknown codes (.notdef). */
  readonly glyphs: readonly Glyph[]
  readonly ascent: number
  readonly descent: number
}

/** A TrueType file with these glyphs, in this order, and the tables that ISO 32000-1 section 9.9 requires. */
export function fontProgram({ glyphs, ascent, descent }: FontProgramInput): Uint8Array {
  const loca = new DataView(new ArrayBuffer((glyphs.length + 1) * 4))
  const hmtx = new DataView(new ArrayBuffer(glyphs.length * 4))
  let glyfBytes = 0
  let widest = 0
  for (const [id, { advance, outline }] of glyphs.entries()) {
    hmtx.setUint16(id * 4, advance)
    hmtx.setInt16(id * 4 + 2, leftOf(outline))
    widest = Math.max(widest, advance)
    glyfBytes += outline.length
    loca.setUint32((id + 1) * 4, glyfBytes)
  }
  return sfnt([
    ['glyf', Buffer.concat(glyphs.map(({ outline }) => outline))],
    ['head', head(ascent, descent, widest)],
    ['hhea', hhea(ascent, descent, widest, glyphs.length)],
    ['hmtx', bytesOf(hmtx)],
    ['loca', bytesOf(loca)],
    ['maxp', maxp(glyphs)],
  ])
}

type Table = readonly [tag: string, bytes: Uint8Array]

function sfnt(tables: readonly Table[]): Uint8Array {
  const headerBytes = 12 + tables.length * 16
  const sizeBytes = tables.reduce((total, [, { length }]) => total + padded(length), headerBytes)
  const file = new DataView(new ArrayBuffer(sizeBytes))
  const power = Math.floor(Math.log2(tables.length))
  file.setUint32(0, 0x00010000)
  file.setUint16(4, tables.length)
  file.setUint16(6, 2 ** power * 16)
  file.setUint16(8, power)
  file.setUint16(10, tables.length * 16 - 2 ** power * 16)
  let offset = headerBytes
  for (const [index, [tag, bytes]] of tables.entries()) {
    const row = 12 + index * 16
    for (let at = 0; at < 4; at++) file.setUint8(row + at, tag.charCodeAt(at))
    bytesOf(file).set(bytes, offset)
    file.setUint32(row + 4, checksum(file, offset, padded(bytes.length)))
    file.setUint32(row + 8, offset)
    file.setUint32(row + 12, bytes.length)
    offset += padded(bytes.length)
  }
  return bytesOf(file)
}

function head(ascent: number, descent: number, widest: number): Uint8Array {
  const table = new DataView(new ArrayBuffer(54))
  table.setUint32(0, 0x00010000)
  table.setUint32(4, 0x00010000)
  table.setUint32(12, 0x5f0f3cf5)
  table.setUint16(16, 0b11) // baseline at 0, left side bearing at 0
  table.setUint16(18, 1000)
  table.setInt16(38, descent)
  table.setInt16(40, widest)
  table.setInt16(42, ascent)
  table.setUint16(46, 6) // smallest readable size
  table.setInt16(48, 2)
  table.setInt16(50, 1) // long offsets in loca
  return bytesOf(table)
}

function hhea(ascent: number, descent: number, widest: number, count: number): Uint8Array {
  const table = new DataView(new ArrayBuffer(36))
  table.setUint32(0, 0x00010000)
  table.setInt16(4, ascent)
  table.setInt16(6, descent)
  table.setUint16(10, widest)
  table.setInt16(18, 1)
  table.setUint16(34, count)
  return bytesOf(table)
}

function maxp(glyphs: readonly Glyph[]): Uint8Array {
  const table = new DataView(new ArrayBuffer(32))
  const contours = glyphs.map(({ outline }) => (outline.length === 0 ? 0 : view(outline).getInt16(0)))
  const points = glyphs.map(({ outline }, id) =>
    outline.length === 0 ? 0 : view(outline).getUint16(8 + (contours[id] ?? 0) * 2) + 1,
  )
  table.setUint32(0, 0x00010000)
  table.setUint16(4, glyphs.length)
  table.setUint16(
    6,
    points.reduce((a, b) => Math.max(a, b), 0),
  )
  table.setUint16(
    8,
    contours.reduce((a, b) => Math.max(a, b), 0),
  )
  table.setUint16(14, 1)
  return bytesOf(table)
}

const leftOf = (outline: Uint8Array): number => (outline.length === 0 ? 0 : view(outline).getInt16(2))
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const bytesOf = (table: DataView): Uint8Array => new Uint8Array(table.buffer)
const padded = (length: number): number => (length + 3) & ~3

function checksum(file: DataView, offset: number, length: number): number {
  let sum = 0
  for (let at = offset; at < offset + length; at += 4) sum = (sum + file.getUint32(at)) >>> 0
  return sum
}
