import { fromUtf8 } from './utf8.ts'
import type { ZipEntry } from './zip-entry.ts'
import { extraFields, u64, UNICODE_PATH_EXTRA, viewOf, ZipProblem, zip64Values } from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { KIT_TOLERANCE, type ZipTolerance } from './zip-tolerance.ts'
import type { ZipWindow } from './zip-window.ts'

/**
 * Returns where the data of an entry starts. Its local header must match the directory, and it must end at `next`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { locateEntry, readZipDirectory, ZipWindow } from '@kitseal/kit'
 * import { fileSource } from '@kitseal/kit/node'
 *
 * using source = fileSource('kit.zip')
 * const { entries, offset } = await readZipDirectory(source)
 * const [first, second] = entries
 * assert.ok(first && second)
 * const dataAt = await locateEntry(new ZipWindow(source, offset), first, second.headerOffset)
 * assert.ok(dataAt > first.headerOffset)
 * ```
 */
export async function locateEntry(
  window: ZipWindow,
  entry: ZipEntry,
  next: number,
  tolerance: ZipTolerance = KIT_TOLERANCE,
): Promise<number> {
  const dataAt = await checkLocalHeader(window, entry, tolerance)
  const dataEnd = dataAt + entry.compressedBytes
  if ((entry.flags & 8) !== 0) {
    await checkDescriptor(window, entry, dataEnd, next - dataEnd)
    if (entry.method === zip.STORED) await rejectInnerDescriptor(window, entry, dataAt)
  } else if (dataEnd !== next)
    throw new ZipProblem(dataEnd > next ? 'it overlaps the next entry' : 'there are extra bytes after it')
  return dataAt
}

/**
 * Rejects stored data that contains a matching data descriptor: streaming readers would end the file there and read the
 * rest as other files.
 */
async function rejectInnerDescriptor(
  window: ZipWindow,
  { sizeBytes }: ZipEntry,
  dataAt: number,
): Promise<void> {
  let kept = new Uint8Array(0)
  let at = 0
  // Includes the start of the entry's own descriptor, for a signature that begins in the last bytes of the data.
  for await (const piece of window.chunks(dataAt, sizeBytes + SHORTEST_DESCRIPTOR)) {
    const bytes = new Uint8Array(kept.length + piece.length)
    bytes.set(kept)
    bytes.set(piece, kept.length)
    const view = viewOf(bytes)
    const last = bytes.length - SHORTEST_DESCRIPTOR
    for (
      let place = bytes.indexOf(0x50);
      place !== -1 && place <= last;
      place = bytes.indexOf(0x50, place + 1)
    ) {
      const before = at + place
      const ends =
        view.getUint32(place, true) === zip.DATA_DESCRIPTOR && view.getUint32(place + 8, true) === before
      if (ends && before < sizeBytes)
        throw new ZipProblem('its data contains bytes that some programs take for its end')
    }
    const keep = Math.min(bytes.length, SHORTEST_DESCRIPTOR - 1)
    at += bytes.length - keep
    kept = bytes.slice(bytes.length - keep)
  }
}

const SHORTEST_DESCRIPTOR = 12

/** Compares the local header with the directory. Returns where the data starts. */
export async function checkLocalHeader(
  window: ZipWindow,
  entry: ZipEntry,
  tolerance: ZipTolerance = KIT_TOLERANCE,
): Promise<number> {
  const at = entry.headerOffset
  const view = viewOf(
    window.buffered(at, zip.LOCAL_HEADER_BYTES) ?? (await window.read(at, zip.LOCAL_HEADER_BYTES)),
  )
  if (view.getUint32(0, true) !== zip.LOCAL_HEADER) throw new ZipProblem('its local header is missing')
  const nameBytes = view.getUint16(26, true)
  const extraBytes = view.getUint16(28, true)
  const version = view.getUint16(4, true)
  const flags = view.getUint16(6, true)
  const method = view.getUint16(8, true)
  const time = view.getUint16(10, true)
  const date = view.getUint16(12, true)
  const crc32 = view.getUint32(14, true)
  const compressed32 = view.getUint32(18, true)
  const size32 = view.getUint32(22, true)
  const restAt = at + zip.LOCAL_HEADER_BYTES
  const restBytes = nameBytes + extraBytes
  const rest = window.buffered(restAt, restBytes) ?? (await window.read(restAt, restBytes))
  const name = localName(rest.subarray(0, nameBytes), entry)
  const fields = extraFields(rest.subarray(nameBytes))
  const unicodePath = fields.get(UNICODE_PATH_EXTRA)
  if (unicodePath !== undefined && fromUtf8(unicodePath.subarray(5)) !== name && entry.rawName === undefined)
    throw new ZipProblem('it has two names')
  if (entry.madeBy === zip.ISSUED_MADE_BY && [...fields.keys()].some((id) => id !== zip.ZIP64_EXTRA))
    throw new ZipProblem('its local header was changed after the kit was issued')
  const [sizeBytes, compressedBytes] = zip64Values(
    fields,
    [size32, compressed32],
    tolerance.unusedZip64,
  ) as readonly [number, number]
  const isLate = (entry.flags & 8) !== 0
  const late = isLate && crc32 === 0 && compressedBytes === 0 && sizeBytes === 0
  const same = (here: number, there: number): boolean =>
    here === there || (here === 0 && isLate && tolerance.partlyLateSizes)
  const agrees =
    name === entry.name &&
    (version === entry.versionNeeded || tolerance.versionsMayDiffer) &&
    flags === entry.flags &&
    method === entry.method &&
    ((time === entry.time && date === entry.date) || tolerance.timesMayDiffer) &&
    (late ||
      (same(crc32, entry.crc32) &&
        same(compressedBytes, entry.compressedBytes) &&
        same(sizeBytes, entry.sizeBytes)))
  if (!agrees) throw new ZipProblem('its local header contradicts the central directory')
  return at + zip.LOCAL_HEADER_BYTES + nameBytes + extraBytes
}

/** A name in another encoding is the same if its bytes are. */
function localName(bytes: Uint8Array, { name, rawName }: ZipEntry): string | undefined {
  if (rawName === undefined) return fromUtf8(bytes)
  return bytes.length === rawName.length && bytes.every((byte, index) => byte === rawName[index])
    ? name
    : undefined
}

/** Between the data and the next header there must be one matching data descriptor. */
async function checkDescriptor(
  window: ZipWindow,
  entry: ZipEntry,
  dataEnd: number,
  gap: number,
): Promise<void> {
  if (![12, 16, 20, 24].includes(gap)) throw new ZipProblem('there are extra bytes after it')
  const view = viewOf(await window.read(dataEnd, gap))
  const at = gap === 16 || gap === 24 ? 4 : 0
  const wide = gap >= 20
  const agrees =
    // Without a signature, a CRC-32 that looks like one would be skipped.
    (at === 0 ? entry.crc32 !== zip.DATA_DESCRIPTOR : view.getUint32(0, true) === zip.DATA_DESCRIPTOR) &&
    view.getUint32(at, true) === entry.crc32 &&
    (wide ? u64(view, at + 4) : view.getUint32(at + 4, true)) === entry.compressedBytes &&
    (wide ? u64(view, at + 12) : view.getUint32(at + 8, true)) === entry.sizeBytes
  if (!agrees) throw new ZipProblem('its data descriptor contradicts the central directory')
}
