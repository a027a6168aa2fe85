import type { Host } from '../host.ts'
import { hex } from './hex.ts'
import { inflateStream } from './inflate-stream.ts'
import { fromUtf8 } from './utf8.ts'
import type { ZipEntry } from './zip-entry.ts'
import {
  brokenData,
  extraFields,
  type RandomAccess,
  u64,
  UNICODE_PATH_EXTRA,
  viewOf,
  ZipProblem,
  zip64Values,
} from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { KIT_TOLERANCE, type ZipTolerance } from './zip-tolerance.ts'

export interface EntryContent {
  readonly name: string
  /** Lower-case hex; undefined where the entry was not asked for or its content cannot be read. */
  readonly sha256?: string
  readonly problem?: string
}

/** Which entries to hash, and the CRC-32s that are already vouched for and so need no second pass over the content. */
export interface ScanRequest {
  readonly wanted: (name: string) => boolean
  readonly trustedCrc32: (name: string) => number | undefined
  readonly onProgress?: (bytes: number) => void
}

const WINDOW_BYTES = 256 * 1024
const EXTRA_BYTES = 64
const SMALL_BYTES = 4 * 1024 * 1024
/** So small a content is hashed in one call: for thousands of small files, the calls cost more than the hashing. */
const ONE_GO_BYTES = 64 * 1024

/**
 * Walks over neighbouring entries from the first one's header to `end`, once, in order: each local header has to agree
 * with the directory, each entry has to start where the one before it ends, and the last has to end at `end`.
 */
export async function scanEntries(
  source: RandomAccess,
  entries: readonly ZipEntry[],
  end: number,
  order: ScanRequest,
  host: Host,
): Promise<readonly EntryContent[]> {
  const window = new ZipWindow(source, end)
  const contents: EntryContent[] = []
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]?.headerOffset ?? end
    contents.push(await scanEntry(window, entry, next, order, host))
  }
  return contents
}

async function scanEntry(
  window: ZipWindow,
  entry: ZipEntry,
  next: number,
  order: ScanRequest,
  host: Host,
): Promise<EntryContent> {
  const { name } = entry
  try {
    const dataAt = await locateEntry(window, entry, next)
    if (!order.wanted(name) || entry.isFolder) return { name }
    const vouched = order.trustedCrc32(name)
    const content = await hashContent(window, entry, dataAt, vouched === undefined, host)
    order.onProgress?.(entry.compressedBytes)
    const crcHolds = entry.crc32 === (vouched ?? content.crc32)
    return { name, sha256: content.sha256, ...(crcHolds ? {} : { problem: `${name}: the CRC-32 is wrong` }) }
  } catch (error) {
    if (error instanceof ZipProblem) return { name, problem: `${name}: ${error.message}` }
    throw error
  }
}

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
  reading: ZipTolerance = KIT_TOLERANCE,
): Promise<number> {
  const dataAt = await checkLocalHeader(window, entry, reading)
  await checkEnd(window, entry, dataAt + entry.compressedBytes, next)
  if (entry.method === zip.STORED && (entry.flags & 8) !== 0) await refuseInnerEnd(window, entry, dataAt)
  return dataAt
}

/**
 * Stored data with its sizes behind it ends, for a reader of a stream, at the first descriptor that counts the bytes
 * before it. One inside the data would end it there, and what follows would be read as other files.
 */
async function refuseInnerEnd(window: ZipWindow, { sizeBytes }: ZipEntry, dataAt: number): Promise<void> {
  let kept = new Uint8Array(0)
  let at = 0
  // The descriptor that belongs to the entry, of twelve bytes at least, completes what begins at the end of the data.
  for await (const piece of window.range(dataAt, sizeBytes + SHORTEST_DESCRIPTOR)) {
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

async function checkLocalHeader(
  window: ZipWindow,
  entry: ZipEntry,
  reading: ZipTolerance = KIT_TOLERANCE,
): Promise<number> {
  const at = entry.headerOffset
  const view = viewOf(
    window.held(at, zip.LOCAL_HEADER_BYTES) ?? (await window.exactly(at, zip.LOCAL_HEADER_BYTES)),
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
  const rest = window.held(restAt, restBytes) ?? (await window.exactly(restAt, restBytes))
  const name = fromUtf8(rest.subarray(0, nameBytes))
  const fields = extraFields(rest.subarray(nameBytes))
  const unicodePath = fields.get(UNICODE_PATH_EXTRA)
  if (unicodePath !== undefined && fromUtf8(unicodePath.subarray(5)) !== name)
    throw new ZipProblem('it has two names')
  if (entry.madeBy === zip.ISSUED_MADE_BY && [...fields.keys()].some((id) => id !== zip.ZIP64_EXTRA))
    throw new ZipProblem('its local header was changed after the kit was issued')
  const [sizeBytes, compressedBytes] = zip64Values(fields, [size32, compressed32]) as readonly [
    number,
    number,
  ]
  const isLate = (entry.flags & 8) !== 0
  const late = isLate && crc32 === 0 && compressedBytes === 0 && sizeBytes === 0
  const same = (here: number, there: number): boolean =>
    here === there || (here === 0 && isLate && reading.partlyLateSizes)
  const agrees =
    name === entry.name &&
    (version === entry.versionNeeded || reading.versionsMayDiffer) &&
    flags === entry.flags &&
    method === entry.method &&
    time === entry.time &&
    date === entry.date &&
    (late ||
      (same(crc32, entry.crc32) &&
        same(compressedBytes, entry.compressedBytes) &&
        same(sizeBytes, entry.sizeBytes)))
  if (!agrees) throw new ZipProblem('its local header contradicts the central directory')
  return at + zip.LOCAL_HEADER_BYTES + nameBytes + extraBytes
}

/** What stands between the data and the next header: nothing, or exactly one data descriptor that agrees. */
async function checkEnd(window: ZipWindow, entry: ZipEntry, dataEnd: number, next: number): Promise<void> {
  const gap = next - dataEnd
  if ((entry.flags & 8) === 0) {
    if (gap !== 0)
      throw new ZipProblem(gap < 0 ? 'it overlaps the next entry' : 'there are extra bytes after it')
    return
  }
  if (![12, 16, 20, 24].includes(gap)) throw new ZipProblem('there are extra bytes after it')
  const view = viewOf(await window.exactly(dataEnd, gap))
  const at = gap === 16 || gap === 24 ? 4 : 0
  const wide = gap >= 20
  const agrees =
    // A CRC-32 that looks like the signature, where there is none, would be skipped as one.
    (at === 0 ? entry.crc32 !== zip.DATA_DESCRIPTOR : view.getUint32(0, true) === zip.DATA_DESCRIPTOR) &&
    view.getUint32(at, true) === entry.crc32 &&
    (wide ? u64(view, at + 4) : view.getUint32(at + 4, true)) === entry.compressedBytes &&
    (wide ? u64(view, at + 12) : view.getUint32(at + 8, true)) === entry.sizeBytes
  if (!agrees) throw new ZipProblem('its data descriptor contradicts the central directory')
}

async function hashContent(
  window: ZipWindow,
  entry: ZipEntry,
  dataAt: number,
  withCrc32: boolean,
  host: Host,
): Promise<{ readonly sha256: string; readonly crc32: number }> {
  if (entry.method === zip.STORED && entry.compressedBytes <= ONE_GO_BYTES) {
    const length = entry.compressedBytes
    const bytes = window.held(dataAt, length) ?? (await window.exactly(dataAt, length))
    return { sha256: hex(host.digest(bytes)), crc32: withCrc32 ? host.crc32(bytes, 0) : 0 }
  }
  const hash = host.sha256()
  let crc32 = 0
  const take = (bytes: Uint8Array): void => {
    hash.update(bytes)
    if (withCrc32) crc32 = host.crc32(bytes, crc32)
  }
  await readContent(window, entry, dataAt, take, host)
  return { sha256: hex(await hash.digest()), crc32 }
}

async function readContent(
  window: ZipWindow,
  entry: ZipEntry,
  dataAt: number,
  take: (bytes: Uint8Array) => void,
  host: Host,
): Promise<void> {
  if (entry.method === zip.STORED) {
    await window.each(dataAt, entry.compressedBytes, take)
    return
  }
  if (host.inflate !== undefined && entry.compressedBytes <= SMALL_BYTES && entry.sizeBytes <= SMALL_BYTES) {
    const content = host.inflate(await window.exactly(dataAt, entry.compressedBytes), entry.sizeBytes)
    if (content === undefined) throw brokenData()
    take(content)
    return
  }
  const deflated = window.range(dataAt, entry.compressedBytes)
  for await (const bytes of inflateStream(deflated, entry.sizeBytes)) take(bytes)
}

/** The content of one entry, whole: for the small files of the envelope. */
export async function readEntry(
  source: RandomAccess,
  entry: ZipEntry,
  limitBytes: number,
  host: Host,
): Promise<Uint8Array> {
  if (entry.sizeBytes > limitBytes) throw new ZipProblem(`${entry.name} is larger than ${limitBytes} bytes`)
  // A letter takes three bytes at the most; what an extra field takes beyond this is read when it is seen.
  const own = zip.LOCAL_HEADER_BYTES + entry.name.length * 3 + EXTRA_BYTES + entry.compressedBytes
  const window = new ZipWindow(source, source.sizeBytes, Math.min(own, WINDOW_BYTES))
  const dataAt = await checkLocalHeader(window, entry)
  const content = new Uint8Array(entry.sizeBytes)
  let at = 0
  await readContent(
    window,
    entry,
    dataAt,
    (bytes) => {
      content.set(bytes, at)
      at += bytes.length
    },
    host,
  )
  return content
}

/** Reads ahead, in large steps where all is wanted, so that small entries cost no read of their own. */
export class ZipWindow {
  readonly #source: RandomAccess
  readonly #end: number
  readonly #aheadBytes: number
  #at = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: RandomAccess, end: number, aheadBytes = WINDOW_BYTES) {
    this.#source = source
    this.#end = end
    this.#aheadBytes = aheadBytes
  }

  /** What is at hand already: with thousands of small entries, waiting for a promise is most of the work. */
  held(at: number, length: number): Uint8Array | undefined {
    const from = at - this.#at
    return from >= 0 && at + length <= this.#end && from + length <= this.#bytes.length
      ? this.#bytes.subarray(from, from + length)
      : undefined
  }

  async exactly(at: number, length: number): Promise<Uint8Array> {
    if (at + length > this.#end) throw new ZipProblem('it extends past the end of the entries')
    if (at < this.#at || at + length > this.#at + this.#bytes.length) {
      await this.#fill(at, Math.min(Math.max(length, this.#aheadBytes), this.#end - at))
    }
    return this.#bytes.subarray(at - this.#at, at - this.#at + length)
  }

  async *range(at: number, length: number): AsyncGenerator<Uint8Array> {
    for (let from = at; from < at + length;) {
      const filled = this.#reach(from, at + length)
      if (filled !== undefined) await filled
      const bytes = this.#upTo(from, at + length)
      from += bytes.length
      yield bytes
    }
  }

  /** As range(), without waiting where the source does not: a large file is read in thousands of pieces. */
  async each(at: number, length: number, take: (bytes: Uint8Array) => void): Promise<void> {
    for (let from = at; from < at + length;) {
      const filled = this.#reach(from, at + length)
      if (filled !== undefined) await filled
      const bytes = this.#upTo(from, at + length)
      from += bytes.length
      take(bytes)
    }
  }

  /** Has the byte at `from` at hand; returns what is to be waited for, if anything is. */
  #reach(from: number, end: number): Promise<void> | undefined {
    if (end > this.#end) throw new ZipProblem('it extends past the end of the entries')
    if (from >= this.#at && from < this.#at + this.#bytes.length) return undefined
    return this.#fill(from, Math.min(WINDOW_BYTES, this.#end - from))
  }

  #upTo(from: number, end: number): Uint8Array {
    return this.#bytes.subarray(from - this.#at, Math.min(this.#bytes.length, end - this.#at))
  }

  #fill(at: number, length: number): Promise<void> | undefined {
    this.#source.done?.(this.#bytes)
    const read = this.#source.read(at, length)
    if (read instanceof Uint8Array) return void this.#hold(at, length, read)
    return read.then((bytes) => this.#hold(at, length, bytes))
  }

  #hold(at: number, length: number, bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#at = at
    if (bytes.length !== length) throw new ZipProblem('the archive is truncated')
  }
}
