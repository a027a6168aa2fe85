import { reason, type Why } from '../texts/english.ts'
import type { Host } from '../host.ts'
import { hex } from './bytes.ts'
import { type ZipEntry, ZipProblem } from './zip-format.ts'
import { brokenData, type RandomAccess, WINDOW_BYTES, ZipWindow } from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { checkLocalHeader, locateEntry } from './zip-local-header.ts'

/** What is known of a file after it was read. */
export interface Hashed {
  readonly path: string
  /** Lower-case hex; undefined if it was not requested or cannot be read. */
  readonly sha256?: string
  readonly crc32?: number
  readonly problem?: Why
}

/** The paths of the files to hash, and their signed CRC-32s, which need not be computed. */
export interface HashOrder {
  readonly wanted: ReadonlySet<string>
  readonly trustedCrc32: ReadonlyMap<string, number>
}

/** What comes before the paths in the names of entries. */
export type ZipOrder = HashOrder & { readonly prefix: string }

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
  order: ZipOrder,
  host: Host,
): Promise<readonly Hashed[]> {
  const window = new ZipWindow(source, end)
  const contents: Hashed[] = []
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
  { wanted, trustedCrc32, prefix }: ZipOrder,
  host: Host,
): Promise<Hashed> {
  const { name } = entry
  const path = name.slice(prefix.length)
  try {
    const dataAt = await locateEntry(window, entry, next)
    if (!wanted.has(path) || entry.isFolder) return { path }
    const trusted = trustedCrc32.get(path)
    const content = await hashContent(window, entry, dataAt, trusted === undefined, host)
    const crcMatches = entry.crc32 === (trusted ?? content.crc32)
    return {
      path,
      sha256: content.sha256,
      ...(crcMatches ? {} : { problem: reason('reason.crc', { path: name }) }),
    }
  } catch (error) {
    if (error instanceof ZipProblem) return { path, problem: `${name}: ${error.message}` }
    throw error
  }
}

async function hashContent(
  window: ZipWindow,
  entry: ZipEntry,
  dataAt: number,
  withCrc32: boolean,
  host: Host,
): Promise<{ readonly sha256: string; readonly crc32: number }> {
  const { method, compressedBytes } = entry
  if (method === zip.STORED && compressedBytes <= ONE_GO_BYTES) {
    const bytes = await window.read(dataAt, compressedBytes)
    return { sha256: hex(host.digest(bytes)), crc32: withCrc32 ? host.crc32(bytes, 0) : 0 }
  }
  const hash = host.sha256()
  let crc32 = 0
  for await (const bytes of entryContent(window, entry, dataAt, host)) {
    hash.update(bytes)
    if (withCrc32) crc32 = host.crc32(bytes, crc32)
  }
  return { sha256: hex(await hash.digest()), crc32 }
}

/**
 * Unpacks the content of an entry. Each chunk is valid until the next is requested. Throws a ZipProblem for damaged data.
 */
export async function* entryContent(
  window: ZipWindow,
  { method, compressedBytes, sizeBytes }: ZipEntry,
  dataAt: number,
  { inflate, inflateStream }: Pick<Host, 'inflate' | 'inflateStream'>,
): AsyncGenerator<Uint8Array> {
  if (method === zip.STORED) yield* window.chunks(dataAt, compressedBytes)
  else if (inflate !== undefined && compressedBytes <= SMALL_BYTES && sizeBytes <= SMALL_BYTES) {
    const content = inflate(await window.read(dataAt, compressedBytes), sizeBytes)
    if (content === undefined) throw brokenData()
    if (sizeBytes > 0) yield content
  } else yield* inflateStream(window.chunks(dataAt, compressedBytes), sizeBytes)
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
  for await (const bytes of entryContent(window, entry, dataAt, host)) {
    content.set(bytes, at)
    at += bytes.length
  }
  return content
}
