import {
  entryContent,
  locateEntry,
  type RandomAccess,
  readZipDirectory,
  type ZipEntry,
  ZipProblem,
  type ZipProblemKind,
  ZipWindow,
} from '@kitseal/kit/internal'
import { otherName } from './other-names.ts'
import { isSplitZip } from '../detect/signatures.ts'
import { DIRECTORY_BYTES } from '../limits.ts'
import type { Platform } from '../platform/platform.ts'
import { bytesAt, sourceRange, viewOf } from '../platform/sources.ts'
import { type Finding, type RuleCode, detailOf } from '../rules.ts'

/** An archive whose directory was read. */
export interface OpenArchive {
  readonly source: RandomAccess
  /** In the order of their data. */
  readonly entries: readonly ZipEntry[]
  /** Entries that cannot be read. */
  readonly problems: ReadonlyMap<ZipEntry, Finding>
  readonly unpackedBytes: number
  readonly window: ZipWindow
  /** The end of the last entry's data. */
  readonly end: number
  readonly irregular: (what: string) => void
}

const CODES: Readonly<Record<ZipProblemKind, RuleCode>> = {
  unreadable: 'unreadable_archive',
  encrypted: 'encrypted_archive',
  link: 'link',
  special: 'special_file',
  method: 'archive_method',
  same_name: 'name_collision',
  name: 'name_not_unicode',
  limit: 'too_many_entries',
}

/**
 * Reads the directory of up to `maxEntries` entries. `limit` is the limit to show if there are more. `report` is called
 * for what is irregular, also later, while entries are read.
 */
export async function openArchive(
  source: RandomAccess,
  maxEntries: number,
  report: (finding: Finding) => void,
  limit: number = maxEntries,
): Promise<OpenArchive | Finding> {
  const irregular = (what: string): void => report({ code: 'irregular_archive', detail: what })
  const problems = new Map<ZipEntry, Finding>()
  const entryProblem = (entry: ZipEntry, problem: ZipProblem): void => {
    if (!problems.has(entry)) problems.set(entry, zipFinding(problem, entry))
  }
  try {
    const { entries, offset } = await readZipDirectory(await withoutBlanks(source), {
      isTolerant: true,
      maxEntries,
      maxDirectoryBytes: DIRECTORY_BYTES,
      otherName,
      irregular,
      entryProblem,
    })
    const unpackedBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const window = new ZipWindow(source, offset)
    return { source, entries, problems, unpackedBytes, window, end: offset, irregular }
  } catch (error) {
    const finding = zipFinding(error)
    if (isSplitZip(await bytesAt(source, 0, 8))) return { ...finding, detail: detailOf('detail.inParts') }
    if (finding.code !== 'too_many_entries') return finding
    return { ...finding, detail: detailOf('detail.entryLimit', { what: finding.detail ?? '', limit }) }
  }
}

const MAX_BLANKS = 16
const BLANKS = new Set([0x00, 0x0a, 0x0d, 0x20])
/** The end record of an archive, up to its comment. */
const [END_RECORD, END_RECORD_BYTES] = [0x06054b50, 22]

/** The source up to the blanks at its end. An end record without a comment ends in the two zero bytes of its length. */
async function withoutBlanks(source: RandomAccess): Promise<RandomAccess> {
  const from = Math.max(0, source.sizeBytes - MAX_BLANKS - END_RECORD_BYTES)
  const tail = await bytesAt(source, from, MAX_BLANKS + END_RECORD_BYTES)
  const view = viewOf(tail)
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_RECORD) continue
    const end = at + END_RECORD_BYTES
    const isBlank =
      view.getUint16(at + 20, true) === 0 && tail.subarray(end).every((byte) => BLANKS.has(byte))
    if (!isBlank) return source
    return sourceRange(source, 0, from + end)
  }
  return source
}

/** The offset of an entry's content, or the problem with its header. */
export async function locateContent(archive: OpenArchive, index: number): Promise<number | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const next = archive.entries[index + 1]?.headerOffset ?? archive.end
  try {
    const irregular = (what: string): void => archive.irregular(`${entry.name}: ${what}`)
    return await locateEntry(archive.window, entry, next, { isTolerant: true, irregular })
  } catch (error) {
    return zipFinding(error, entry)
  }
}

/** The content of an entry. Each chunk is valid until the next is requested. Throws ZipProblem. */
export const readContent = (
  { window }: OpenArchive,
  entry: ZipEntry,
  dataAt: number,
  { host }: Pick<Platform, 'host'>,
): AsyncGenerator<Uint8Array> => entryContent(window, entry, dataAt, host)

/** Reads a small entry into memory. Undefined if it is larger than the limit or damaged. */
export async function readSmallEntry(
  archive: OpenArchive,
  name: string,
  limitBytes: number,
  platform: Pick<Platform, 'host'>,
): Promise<Uint8Array | undefined> {
  const index = archive.entries.findIndex((entry) => entry.name === name)
  const entry = archive.entries[index]
  if (entry === undefined || entry.sizeBytes > limitBytes || archive.problems.has(entry)) return undefined
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') return undefined
  const content = new Uint8Array(entry.sizeBytes)
  let at = 0
  try {
    for await (const bytes of readContent(archive, entry, dataAt, platform)) {
      content.set(bytes, at)
      at += bytes.length
    }
  } catch (error) {
    if (error instanceof ZipProblem) return undefined
    throw error
  }
  return content
}

/** `entry` is what the finding is about; the message does not repeat its name. */
export function zipFinding(error: unknown, entry?: Pick<ZipEntry, 'name' | 'method'>): Finding {
  if (!(error instanceof ZipProblem)) throw error
  const { kind, why } = error
  const code = CODES[kind]
  // The message of the rule says enough.
  if (entry !== undefined && (kind === 'encrypted' || kind === 'link' || kind === 'special')) return { code }
  if (entry !== undefined && kind === 'method')
    return { code, detail: detailOf('detail.method', { method: entry.method }) }
  if (entry !== undefined && kind === 'same_name')
    return { code, detail: detailOf('detail.twins', { name: entry.name }) }
  if (typeof why !== 'string' || entry === undefined || !why.startsWith(`${entry.name} `))
    return { code, detail: why }
  return { code, detail: `it${why.slice(entry.name.length)}` }
}
