/** Where an object is. */
export type FileEntry =
  | { readonly in: 'file'; readonly offset: number }
  | { readonly in: 'pack'; readonly pack: number; readonly index: number }

const COLUMNS = 7

/**
 * The rows of a cross-reference stream (ISO 32000-1 section 7.5.8), each byte minus the one above it (PNG filter 2), because
 * numbered rows compress badly.
 */
export function crossReferences(entries: readonly (FileEntry | undefined)[]): Uint8Array {
  const rows = new Uint8Array(entries.length * (COLUMNS + 1))
  let above: readonly number[] = []
  for (const [number, entry] of entries.entries()) {
    const row = rowOf(number, entry)
    const at = number * (COLUMNS + 1)
    const [type = 0, place = 0, index = 0] = row
    const [typeAbove = 0, placeAbove = 0, indexAbove = 0] = above
    rows[at] = 2
    rows[at + 1] = type - typeAbove
    rows[at + 2] = (place >>> 24) - (placeAbove >>> 24)
    rows[at + 3] = (place >>> 16) - (placeAbove >>> 16)
    rows[at + 4] = (place >>> 8) - (placeAbove >>> 8)
    rows[at + 5] = place - placeAbove
    rows[at + 6] = (index >>> 8) - (indexAbove >>> 8)
    rows[at + 7] = index - indexAbove
    above = row
  }
  return rows
}

function rowOf(number: number, entry: FileEntry | undefined): [type: number, place: number, index: number] {
  if (entry === undefined) return [0, 0, number === 0 ? 65535 : 0]
  return entry.in === 'file' ? [1, entry.offset, 0] : [2, entry.pack, entry.index]
}
