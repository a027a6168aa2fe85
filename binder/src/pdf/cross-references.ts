import { OWN } from './compress.ts'

/** Where an object is. */
export type FileEntry =
  | { readonly in: 'file'; readonly offset: number }
  | { readonly in: 'pack'; readonly pack: number; readonly index: number }

/** Type, place and index, after the kind of the row. */
const ROW_BYTES = 1 + 1 + 4 + 2
/** A PNG filter: a row minus the one above it, because numbered rows compress badly. */
const MINUS_ABOVE = 2

/**
 * The compressed content of a cross-reference stream (ISO 32000-1 section 7.5.8): the objects that a file writes itself, by
 * number from 1, then those of the start that it shares with others.
 */
export function crossReferences(offsets: readonly number[], shared: readonly FileEntry[]): Uint8Array {
  const rows = Buffer.alloc((offsets.length + shared.length) * ROW_BYTES)
  writeRow(rows, 0, 0, 0, 65_535)
  for (let number = 1; number < offsets.length; number++) writeRow(rows, number, 1, offsets[number] ?? 0, 0)
  for (const [at, entry] of shared.entries()) {
    const number = offsets.length + at
    if (entry.in === 'file') writeRow(rows, number, 1, entry.offset, 0)
    else writeRow(rows, number, 2, entry.pack, entry.index)
  }
  for (let at = rows.length - 1; at >= 0; at--)
    rows[at] = at % ROW_BYTES === 0 ? MINUS_ABOVE : (rows[at] ?? 0) - (rows[at - ROW_BYTES] ?? 0)
  return OWN.deflate(rows)
}

function writeRow(rows: Buffer, at: number, type: 0 | 1 | 2, place: number, index: number): void {
  rows.writeUInt8(type, at * ROW_BYTES + 1)
  rows.writeUInt32BE(place, at * ROW_BYTES + 2)
  rows.writeUInt16BE(index, at * ROW_BYTES + 6)
}
