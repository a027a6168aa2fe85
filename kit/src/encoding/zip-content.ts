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
  /** Lower-case hex; undefined if the entry was not requested or cannot be read. */
  readonly sha256?: string
  readonly problem?: string
}

/** Which entries to hash, and the signed CRC-32s, which need not be computed. */
export interface ScanRequest {
  readonly wanted: (name: string) => boolean
  readonly trustedCrc32: (name: string) => number | undefined
  readonly onProgress?: (bytes: number) => void
}

const WINDOW_BYTES = 256 * 1024
const EXTRA_BYTES = 64
const SMALL_BYTES = 4 * 1024 * 1024
/** Smaller contents are hashed in one call: for thousands of small files, calls cost more than hashing. */
const ONE_GO_BYTES = 64 * 1024

/**
 * Hashes neighbouring entries in one pass. Each local header must match the directory, each entry must start where the
 * previous one ends, and the last must end at `end`.
 */
export async function scanEntries(
  source: RandomAccess,
  entries: readonly ZipEntry[],
  end: number,
  request: ScanRequest,
  host: Host,
): Promise<readonly EntryContent[]> {
  const window = new ZipWindow(source, end)
  const contents: EntryContent[] = []
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]?.headerOffset ?? end
    contents.push(await scanEntry(window, entry, next, request, host))
  }
  return contents
}

async function scanEntry(
  window: ZipWindow,
  entry: ZipEntry,
  next: number,
  request: ScanRequest,
  host: Host,
): Promise<EntryContent> {
  const { name } = entry
  try {
    const dataAt = await locateEntry(window, entry, next)
    if (!request.wanted(name) || entry.isFolder) return { name }
    const trusted = request.trustedCrc32(name)
    const content = await hashContent(window, entry, dataAt, trusted === undefined, host)
    request.onProgress?.(entry.compressedBytes)
    const crcMatches = entry.crc32 === (trusted ?? content.crc32)
    return {
      name,
      sha256: content.sha256,
      ...(crcMatches ? {} : { problem: `${name}: the CRC-32 is wrong` }),
    }
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
  tolerance: ZipTolerance = KIT_TOLERANCE,
): Promise<number> {
  const dataAt = await checkLocalHeader(window, entry, tolerance)
  await checkEnd(window, entry, dataAt + entry.compressedBytes, next)
  if (entry.method === zip.STORED && (entry.flags & 8) !== 0)
    await rejectInnerDescriptor(window, entry, dataAt)
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

async function checkLocalHeader(
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
    here === there || (here === 0 && isLate && tolerance.partlyLateSizes)
  const agrees =
    name === entry.name &&
    (version === entry.versionNeeded || tolerance.versionsMayDiffer) &&
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

/** Between the data and the next header there must be nothing, or one matching data descriptor. */
async function checkEnd(window: ZipWindow, entry: ZipEntry, dataEnd: number, next: number): Promise<void> {
  const gap = next - dataEnd
  if ((entry.flags & 8) === 0) {
    if (gap !== 0)
      throw new ZipProblem(gap < 0 ? 'it overlaps the next entry' : 'there are extra bytes after it')
    return
  }
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

async function hashContent(
  window: ZipWindow,
  entry: ZipEntry,
  dataAt: number,
  withCrc32: boolean,
  host: Host,
): Promise<{ readonly sha256: string; readonly crc32: number }> {
  if (entry.method === zip.STORED && entry.compressedBytes <= ONE_GO_BYTES) {
    const length = entry.compressedBytes
    const bytes = window.buffered(dataAt, length) ?? (await window.read(dataAt, length))
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
    await window.forEachChunk(dataAt, entry.compressedBytes, take)
    return
  }
  if (host.inflate !== undefined && entry.compressedBytes <= SMALL_BYTES && entry.sizeBytes <= SMALL_BYTES) {
    const content = host.inflate(await window.read(dataAt, entry.compressedBytes), entry.sizeBytes)
    if (content === undefined) throw brokenData()
    take(content)
    return
  }
  const deflated = window.chunks(dataAt, entry.compressedBytes)
  for await (const bytes of inflateStream(deflated, entry.sizeBytes)) take(bytes)
}

/** Reads a small entry. */
export async function readEntry(
  source: RandomAccess,
  entry: ZipEntry,
  limitBytes: number,
  host: Host,
): Promise<Uint8Array> {
  if (entry.sizeBytes > limitBytes) throw new ZipProblem(`${entry.name} is larger than ${limitBytes} bytes`)
  // A UTF-16 unit takes at most three bytes in UTF-8. A longer extra field costs another read.
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

/** A buffered reader: small entries need no read of their own. */
export class ZipWindow {
  readonly #source: RandomAccess
  readonly #end: number
  readonly #bufferBytes: number
  #at = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: RandomAccess, end: number, bufferBytes = WINDOW_BYTES) {
    this.#source = source
    this.#end = end
    this.#bufferBytes = bufferBytes
  }

  /** The bytes, if they are buffered. Avoids a promise for each of thousands of small entries. */
  buffered(at: number, length: number): Uint8Array | undefined {
    const from = at - this.#at
    return from >= 0 && at + length <= this.#end && from + length <= this.#bytes.length
      ? this.#bytes.subarray(from, from + length)
      : undefined
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    if (at + length > this.#end) throw new ZipProblem('it extends past the end of the entries')
    if (at < this.#at || at + length > this.#at + this.#bytes.length) {
      await this.#fill(at, Math.min(Math.max(length, this.#bufferBytes), this.#end - at))
    }
    return this.#bytes.subarray(at - this.#at, at - this.#at + length)
  }

  async *chunks(at: number, length: number): AsyncGenerator<Uint8Array> {
    for (let from = at; from < at + length;) {
      const filled = this.#reach(from, at + length)
      if (filled !== undefined) await filled
      const bytes = this.#upTo(from, at + length)
      from += bytes.length
      yield bytes
    }
  }

  /** Like chunks(), but synchronous if the source is: a large file has thousands of chunks. */
  async forEachChunk(at: number, length: number, take: (bytes: Uint8Array) => void): Promise<void> {
    for (let from = at; from < at + length;) {
      const filled = this.#reach(from, at + length)
      if (filled !== undefined) await filled
      const bytes = this.#upTo(from, at + length)
      from += bytes.length
      take(bytes)
    }
  }

  /** Buffers the byte at `from`. Returns a promise only if the source is asynchronous. */
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
    if (read instanceof Uint8Array) return void this.#store(at, length, read)
    return read.then((bytes) => this.#store(at, length, bytes))
  }

  #store(at: number, length: number, bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#at = at
    if (bytes.length !== length) throw new ZipProblem('the archive is truncated')
  }
}
