import {
  brokenData,
  locateEntry,
  type RandomAccess,
  readZipDirectory,
  type ZipEntry,
  ZipProblem,
  type ZipProblemKind,
  type ZipReading,
  ZipWindow,
} from '@kitseal/kit'
import { DIRECTORY_BYTES, SMALL_BYTES } from './limits.ts'
import type { Finding, RuleCode } from './rules.ts'
import { bytesAt } from './structures/structure.ts'
import { copyOf, type Surroundings } from './surroundings.ts'
import { isSplitArchive } from './tell-content.ts'

/** An archive whose directory was read: what is in it, and what is wrong with single entries. */
export interface OpenArchive {
  readonly source: RandomAccess
  /** In the order of their data. */
  readonly entries: readonly ZipEntry[]
  readonly problems: ReadonlyMap<ZipEntry, Finding>
  readonly unpackedBytes: number
  readonly window: ZipWindow
  /** Where the data of the last entry has to end. */
  readonly end: number
}

const CODES: Readonly<Record<ZipProblemKind, RuleCode>> = {
  unreadable: 'unreadable_archive',
  encrypted: 'encrypted_archive',
  link: 'link',
  special: 'special_file',
  method: 'archive_method',
  twin: 'name_collision',
  name: 'name_not_unicode',
  limit: 'too_many_entries',
}

const READING: ZipReading = {
  unmarkedUtf8: true,
  entryComments: true,
  deflatedFolders: true,
  versionsMayDiffer: true,
  partlyLateSizes: true,
  maxEntries: 0,
  maxDirectoryBytes: DIRECTORY_BYTES,
}

/** `limit` is what is said where there are more than `maxEntries`, which may be more than are admitted. */
export async function openArchive(
  source: RandomAccess,
  maxEntries: number,
  limit: number = maxEntries,
): Promise<OpenArchive | Finding> {
  if (isSplitArchive(await bytesAt(source, 0, 8)))
    return { code: 'unreadable_archive', seen: 'it is split into parts' }
  const problems = new Map<ZipEntry, Finding>()
  const onEntryProblem = (entry: ZipEntry, problem: ZipProblem): void => {
    if (!problems.has(entry)) problems.set(entry, findingOf(problem, entry.name))
  }
  try {
    const { entries, offset } = await readZipDirectory(source, { ...READING, maxEntries, onEntryProblem })
    const unpackedBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return { source, entries, problems, unpackedBytes, window: new ZipWindow(source, offset), end: offset }
  } catch (error) {
    const finding = findingOf(error)
    if (finding.code !== 'too_many_entries') return finding
    return { ...finding, seen: `${finding.seen}; the limit is ${limit} entries` }
  }
}

/** Where the content of the entry at `index` starts, or what is wrong with its header. */
export async function locate(archive: OpenArchive, index: number): Promise<number | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const next = archive.entries[index + 1]?.headerOffset ?? archive.end
  try {
    return await locateEntry(archive.window, entry, next, READING)
  } catch (error) {
    return findingOf(error, entry.name)
  }
}

const AT_ONCE_BYTES = 4 * 1024 * 1024

/** The content of an entry, in pieces that are lent until the next is asked for. Throws ZipProblem. */
export async function* entryContent(
  { window }: OpenArchive,
  entry: ZipEntry,
  dataAt: number,
  { host, inflate, free }: Pick<Surroundings, 'host' | 'inflate' | 'free'>,
): AsyncGenerator<Uint8Array> {
  const { compressedBytes, sizeBytes } = entry
  if (entry.method === 0) {
    yield* window.range(dataAt, compressedBytes)
  } else if (host.inflate !== undefined && compressedBytes <= AT_ONCE_BYTES && sizeBytes <= AT_ONCE_BYTES) {
    const content = host.inflate(await window.exactly(dataAt, compressedBytes), sizeBytes)
    if (content === undefined) throw brokenData()
    if (content.length > 0) yield content
    // A small file lasts until it is judged.
    if (sizeBytes > SMALL_BYTES) free?.(content)
  } else {
    yield* inflate(copies(window.range(dataAt, compressedBytes)), { compressedBytes, sizeBytes })
  }
}

async function* copies(lent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of lent) yield copyOf(bytes)
}

/** A small entry, whole; undefined where it is larger or cannot be read. */
export async function readPart(
  archive: OpenArchive,
  name: string,
  limitBytes: number,
  surroundings: Pick<Surroundings, 'host' | 'inflate' | 'free'>,
): Promise<Uint8Array | undefined> {
  const index = archive.entries.findIndex((entry) => entry.name === name)
  const entry = archive.entries[index]
  if (entry === undefined || entry.sizeBytes > limitBytes || archive.problems.has(entry)) return undefined
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') return undefined
  const content = new Uint8Array(entry.sizeBytes)
  let at = 0
  try {
    for await (const bytes of entryContent(archive, entry, dataAt, surroundings)) {
      content.set(bytes, at)
      at += bytes.length
    }
  } catch (error) {
    if (error instanceof ZipProblem) return undefined
    throw error
  }
  return content
}

/** `name` is that of the entry that the finding is shown with. */
export function findingOf(error: unknown, name?: string): Finding {
  if (!(error instanceof ZipProblem)) throw error
  const { kind, message } = error
  if (name === undefined || !message.startsWith(`${name} `)) return { code: CODES[kind], seen: message }
  // What the rule says already is not said again.
  if (kind === 'encrypted' || kind === 'link' || kind === 'special') return { code: CODES[kind] }
  return { code: CODES[kind], seen: `it${message.slice(name.length)}` }
}
