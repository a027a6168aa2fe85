import { fromUtf8, joined } from './bytes.ts'
import { type EntryReading, KIT_READING, type ZipEntry, ZipProblem } from './zip-format.ts'
import {
  checkGap,
  extraFields,
  u64,
  UNICODE_PATH_EXTRA,
  viewOf,
  zip64Values,
  type ZipWindow,
} from './zip-fields.ts'
import * as zip from './zip-format.ts'

/** Returns where the data of an entry starts. Its local header must match the directory, and it must end at `next`. */
export async function locateEntry(
  window: ZipWindow,
  entry: ZipEntry,
  next: number,
  reading: EntryReading = KIT_READING,
): Promise<number> {
  const dataAt = await checkLocalHeader(window, entry, reading)
  const gap = next - dataAt - entry.compressedBytes
  if (gap < 0) throw new ZipProblem('it overlaps the next entry')
  if ((entry.flags & 8) !== 0) await checkDescriptor(window, entry, dataAt, gap, reading)
  else if (gap > 0) await checkGap(window, next - gap, gap, EXTRA_BYTES, reading)
  return dataAt
}

const EXTRA_BYTES = 'there are extra bytes after it'

/**
 * Rejects stored data that contains a matching data descriptor: streaming readers would end the file there and read the
 * rest as other files.
 */
async function rejectInnerDescriptor(
  window: ZipWindow,
  { sizeBytes }: ZipEntry,
  dataAt: number,
  gap: number,
): Promise<void> {
  let kept = new Uint8Array(0)
  let at = 0
  // Includes the start of the entry's own descriptor, for a signature that begins in the last bytes of the data.
  for await (const piece of window.chunks(dataAt, sizeBytes + Math.min(gap, SHORTEST_DESCRIPTOR))) {
    const bytes = joined([kept, piece])
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
  reading: EntryReading = KIT_READING,
): Promise<number> {
  const at = entry.headerOffset
  const fixed = viewOf(await window.read(at, zip.LOCAL_HEADER_BYTES))
  if (fixed.getUint32(0, true) !== zip.LOCAL_HEADER) throw new ZipProblem('its local header is missing')
  const nameBytes = fixed.getUint16(26, true)
  const restBytes = nameBytes + fixed.getUint16(28, true)
  // Read again as a whole: the next read may overwrite the one before.
  const header = await window.read(at, zip.LOCAL_HEADER_BYTES + restBytes)
  const rest = header.subarray(zip.LOCAL_HEADER_BYTES)
  const view = viewOf(header)
  const u16 = (offset: number): number => view.getUint16(offset, true)
  const name = localName(rest.subarray(0, nameBytes), entry)
  const fields = extraFields(rest.subarray(nameBytes), reading)
  const unicodePath = fields.get(UNICODE_PATH_EXTRA)
  if (unicodePath !== undefined && fromUtf8(unicodePath.subarray(5)) !== name && entry.rawName === undefined)
    throw new ZipProblem('it has two names')
  if (entry.madeBy === zip.ISSUED_MADE_BY && [...fields.keys()].some((id) => id !== zip.ZIP64_EXTRA))
    throw new ZipProblem('its local header was changed after the kit was issued')
  const [sizeBytes, compressedBytes] = zip64Values(
    fields,
    [view.getUint32(22, true), view.getUint32(18, true)],
    reading,
  ) as readonly [number, number]
  const crc32 = view.getUint32(14, true)
  const flags = u16(6)
  const isLate = ((flags | entry.flags) & 8) !== 0
  const late = isLate && crc32 === 0 && compressedBytes === 0 && sizeBytes === 0
  // Info-ZIP in a pipe writes some of the values of the data descriptor, .NET writes other times, writers of zip64 other versions.
  const { isTolerant } = reading
  const same = (here: number, there: number): boolean =>
    here === there || (here === 0 && isLate && isTolerant)
  const agrees =
    name === entry.name &&
    (u16(4) === entry.versionNeeded || isTolerant) &&
    (flags === entry.flags || (isTolerant && isSameMeaning(flags ^ entry.flags, entry))) &&
    u16(8) === entry.method &&
    ((u16(10) === entry.time && u16(12) === entry.date) || isTolerant) &&
    (late ||
      (same(crc32, entry.crc32) &&
        same(compressedBytes, entry.compressedBytes) &&
        same(sizeBytes, entry.sizeBytes)))
  if (!agrees) throw new ZipProblem('its local header contradicts the central directory')
  if (((flags ^ entry.flags) & SHOWN_FLAGS) !== 0) reading.irregular('its two headers state different flags')
  return at + zip.LOCAL_HEADER_BYTES + restBytes
}

/** How the name is encoded, and whether the sizes follow the data. */
const SHOWN_FLAGS = zip.UTF8_NAMES | 0x0008

/** Flags for the level of compression, or for what the directory states anyway. */
function isSameMeaning(difference: number, { method }: ZipEntry): boolean {
  if (method === zip.STORED && (difference & 0x0008) !== 0) return false
  return (difference & ~(0x0006 | SHOWN_FLAGS | zip.UNUSED_FLAGS)) === 0
}

/** A name in another encoding is the same if its bytes are. */
function localName(bytes: Uint8Array, { name, rawName }: ZipEntry): string | undefined {
  if (rawName === undefined) return fromUtf8(bytes)
  return bytes.length === rawName.length && bytes.every((byte, index) => byte === rawName[index])
    ? name
    : undefined
}

/** Between the data and the next header, there must be one matching data descriptor. */
async function checkDescriptor(
  window: ZipWindow,
  entry: ZipEntry,
  dataAt: number,
  gap: number,
  reading: EntryReading,
): Promise<void> {
  if (gap < 12) throw new ZipProblem('its data descriptor is missing')
  const at = dataAt + entry.compressedBytes
  if (![12, 16, 20, 24].includes(gap)) await checkGap(window, at, gap, EXTRA_BYTES, reading)
  else if (!isDescriptor(await window.read(at, gap), entry)) {
    const what = 'its data descriptor contradicts the central directory'
    // Compressed data shows its own end. Without that, some programs believe the descriptor.
    if (entry.method === zip.STORED) throw new ZipProblem(what)
    reading.irregular(what)
  }
  if (entry.method === zip.STORED) await rejectInnerDescriptor(window, entry, dataAt, gap)
}

function isDescriptor(bytes: Uint8Array, entry: ZipEntry): boolean {
  const view = viewOf(bytes)
  const at = bytes.length === 16 || bytes.length === 24 ? 4 : 0
  const wide = bytes.length >= 20
  return (
    // Without a signature, a CRC-32 that looks like one would be skipped.
    (at === 0 ? entry.crc32 !== zip.DATA_DESCRIPTOR : view.getUint32(0, true) === zip.DATA_DESCRIPTOR) &&
    view.getUint32(at, true) === entry.crc32 &&
    (wide ? u64(view, at + 4) : view.getUint32(at + 4, true)) === entry.compressedBytes &&
    (wide ? u64(view, at + 12) : view.getUint32(at + 8, true)) === entry.sizeBytes
  )
}
