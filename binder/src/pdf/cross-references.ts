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
  let [typeAbove, placeAbove, indexAbove] = [0, 0, 0]
  for (let number = 0; number < entries.length; number++) {
    const entry = entries[number]
    const type = entry === undefined ? 0 : entry.in === 'file' ? 1 : 2
    const place = entry === undefined ? 0 : entry.in === 'file' ? entry.offset : entry.pack
    const index = entry?.in === 'pack' ? entry.index : number === 0 ? 65535 : 0
    const at = number * (COLUMNS + 1)
    rows[at] = 2
    rows[at + 1] = type - typeAbove
    rows[at + 2] = (place >>> 24) - (placeAbove >>> 24)
    rows[at + 3] = (place >>> 16) - (placeAbove >>> 16)
    rows[at + 4] = (place >>> 8) - (placeAbove >>> 8)
    rows[at + 5] = place - placeAbove
    rows[at + 6] = (index >>> 8) - (indexAbove >>> 8)
    rows[at + 7] = index - indexAbove
    typeAbove = type
    placeAbove = place
    indexAbove = index
  }
  return rows
}
