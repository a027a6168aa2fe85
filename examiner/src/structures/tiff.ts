import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, viewOf } from '../platform/sources.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

const MAX_PAGES = 2000
const MAX_STRIPS = 1_000_000
const [WIDTH, HEIGHT] = [256, 257]
/** The tags of the offsets and lengths of strips, and of tiles. */
const DATA_TAGS: readonly (readonly [offsets: number, lengths: number])[] = [
  [273, 279],
  [324, 325],
]
/** The size of a value by its type: SHORT, LONG and LONG8. */
const VALUE_BYTES: Readonly<Record<number, 2 | 4 | 8>> = { 3: 2, 4: 4, 16: 8 }

/** Follows the directories of a TIFF or BigTIFF and checks that their image data is inside the file. */
export async function checkTiff({ source }: FileToCheck): Promise<Structure> {
  const head = viewOf(await bytesAt(source, 0, 16))
  if (head.byteLength < 8) return broken('malformed_image', 'it ends inside its header')
  const little = head.getUint8(0) === 0x49
  const big = head.getUint16(2, little) === 43
  if (big && head.byteLength < 16) return broken('malformed_image', 'it ends inside its header')
  const tiff: Tiff = { source, little, big, bytesLeft: 4 * source.sizeBytes + 128 * 1024 }
  let offset = big ? Number(head.getBigUint64(8, little)) : head.getUint32(4, little)
  const visited = new Set<number>()
  while (offset !== 0) {
    if (visited.size >= MAX_PAGES || tiff.bytesLeft <= 0) {
      return { findings: [], notes: [`only the first ${visited.size} pages were checked`] }
    }
    if (visited.has(offset)) return broken('malformed_image', 'its directories form a loop')
    visited.add(offset)
    const page = await readPage(tiff, offset)
    if (typeof page === 'string') return broken('malformed_image', page)
    offset = page.next
  }
  return visited.size === 0 ? broken('malformed_image', 'it contains no image') : SOUND
}

interface Tiff {
  readonly source: RandomAccess
  readonly little: boolean
  readonly big: boolean
  /** Directories of a valid file do not overlap. This bounds how much a hostile file makes us read. */
  bytesLeft: number
}

/** Returns the offset of the next directory, or the problem with this one. */
async function readPage(tiff: Tiff, offset: number): Promise<{ readonly next: number } | string> {
  const { source, little, big } = tiff
  const [countBytes, entryBytes, offsetBytes] = big ? [8, 20, 8] : [2, 12, 4]
  const first = viewOf(await bytesAt(source, offset, countBytes))
  if (first.byteLength < countBytes) return 'a directory is outside the file'
  const count = big ? Number(first.getBigUint64(0, little)) : first.getUint16(0, little)
  const length = count * entryBytes + offsetBytes
  if (count === 0 || offset + countBytes + length > source.sizeBytes) return 'a directory is truncated'
  tiff.bytesLeft -= length
  if (tiff.bytesLeft <= 0) return { next: offset }
  const directory = viewOf(await bytesAt(source, offset + countBytes, length))
  const entries = new Map<number, number>()
  for (let at = 0; at < count * entryBytes; at += entryBytes) entries.set(directory.getUint16(at, little), at)
  const valuesOf = (tag: number): Promise<readonly number[]> => readValues(tiff, directory, entries.get(tag))
  for (const tag of [WIDTH, HEIGHT]) {
    if ((await valuesOf(tag))[0] === 0) return 'its width or height is 0'
  }
  for (const [offsets, lengths] of DATA_TAGS) {
    const [starts, sizes] = [await valuesOf(offsets), await valuesOf(lengths)]
    const ends = sizes.map((size, index) => (size === 0 ? 0 : (starts[index] ?? 0) + size))
    if (ends.some((end) => end > source.sizeBytes)) return 'its image data is truncated'
  }
  const next = count * entryBytes
  return { next: big ? Number(directory.getBigUint64(next, little)) : directory.getUint32(next, little) }
}

/** The numbers of a directory entry. Empty if it is missing or has another type. */
async function readValues(
  tiff: Tiff,
  directory: DataView,
  entry: number | undefined,
): Promise<readonly number[]> {
  if (entry === undefined) return []
  const { source, little, big } = tiff
  const size = VALUE_BYTES[directory.getUint16(entry + 2, little)]
  const count = big
    ? Number(directory.getBigUint64(entry + 4, little))
    : directory.getUint32(entry + 4, little)
  if (size === undefined || count > MAX_STRIPS) return []
  const [valueAt, room] = big ? [entry + 12, 8] : [entry + 8, 4]
  if (count * size <= room) return numbersIn(directory, valueAt, count, size, little)
  const at = big ? Number(directory.getBigUint64(valueAt, little)) : directory.getUint32(valueAt, little)
  tiff.bytesLeft -= count * size
  if (tiff.bytesLeft <= 0) return []
  const bytes = await bytesAt(source, at, count * size)
  // The list itself is truncated, so the data it refers to is as well.
  if (bytes.length < count * size) return [Infinity]
  return numbersIn(viewOf(bytes), 0, count, size, little)
}

function numbersIn(
  view: DataView,
  from: number,
  count: number,
  size: 2 | 4 | 8,
  little: boolean,
): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * size
    if (size === 8) return Number(view.getBigUint64(at, little))
    return size === 4 ? view.getUint32(at, little) : view.getUint16(at, little)
  })
}
