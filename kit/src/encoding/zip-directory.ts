import { reason } from '../texts/english.ts'
import {
  checkGap,
  entryName,
  extraFields,
  hasHeader,
  type RandomAccess,
  saysEncrypted,
  u64,
  UNICODE_PATH_EXTRA,
  viewOf,
  zip64Values,
} from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { KIT_READING, type ZipEntry, ZipProblem, type ZipReading } from './zip-format.ts'

export interface ZipDirectory {
  /** In the order of their data. */
  readonly entries: readonly ZipEntry[]
  /** Where the data ends and the directory starts. */
  readonly offset: number
  /** The archive claims to be an issued kit.zip, so its headers must have exactly the issued form. */
  readonly issued: boolean
}

const ALLOWED_FLAGS = 0x0006 | 0x0008 | zip.UTF8_NAMES

const CORRUPT = reason('reason.badDirectory')

/**
 * Reads the central directory of a zip archive. Throws a ZipProblem for anything that programs read differently.
 */
export async function readZipDirectory(
  source: RandomAccess,
  reading: ZipReading = KIT_READING,
): Promise<ZipDirectory> {
  const end = await endOfDirectory(source, reading)
  const { maxEntries, maxDirectoryBytes } = reading
  if (end.count > maxEntries)
    throw new ZipProblem(`the archive has ${end.count} entries, the limit is ${maxEntries}`, 'limit')
  if (end.directoryBytes > maxDirectoryBytes)
    throw new ZipProblem('the central directory is too large', 'limit')
  if (end.count * zip.CENTRAL_HEADER_BYTES > end.directoryBytes)
    throw new ZipProblem('the central directory is too short')
  const bytes = (await source.read(end.directoryOffset, end.directoryBytes)).slice()
  const view = viewOf(bytes)
  const entries: RawEntry[] = []
  let at = 0
  for (let index = 0; index < end.count; index++) {
    const entry = centralHeader(bytes, view, at, reading)
    entries.push(entry)
    at += entry.headerBytes
  }
  if (at !== bytes.length) throw new ZipProblem('there are extra bytes at the end of the central directory')
  const issued = entries.some((entry) => entry.madeBy === zip.ISSUED_MADE_BY)
  if (issued) checkIssuedForm(entries, end)
  const sorted = entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  rejectDuplicates(sorted, reading)
  const before = sorted[0]?.headerOffset ?? end.directoryOffset
  if (before !== 0) await checkGap(source, 0, before, 'there are extra bytes before the first entry', reading)
  return { entries: sorted, offset: end.directoryOffset, issued }
}

interface RawEntry extends ZipEntry {
  readonly headerBytes: number
  readonly internalAttributes: number
  readonly externalAttributes: number
  readonly extraIds: readonly number[]
}

function centralHeader(bytes: Uint8Array, view: DataView, at: number, reading: ZipReading): RawEntry {
  const u16 = (offset: number): number => view.getUint16(at + offset, true)
  const u32 = (offset: number): number => view.getUint32(at + offset, true)
  const nameAt = at + zip.CENTRAL_HEADER_BYTES
  if (nameAt > bytes.length || u32(0) !== zip.CENTRAL_HEADER) throw new ZipProblem(CORRUPT)
  const nameBytes = u16(28)
  const extraBytes = u16(30)
  const commentBytes = u16(32)
  const headerBytes = zip.CENTRAL_HEADER_BYTES + nameBytes + extraBytes + commentBytes
  if (at + headerBytes > bytes.length) throw new ZipProblem(CORRUPT)
  const extra = bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes)
  const fields = extraFields(extra, reading, reading.isTolerant)
  const flags = u16(8)
  const madeBy = u16(4)
  const raw = { bytes: bytes.subarray(nameAt, nameAt + nameBytes), flags, madeBy, fields }
  const { name, problem, rawName } = nameOrProblem(raw, reading)
  const [sizeBytes, compressedBytes, headerOffset] = zip64Values(
    fields,
    [u32(24), u32(20), u32(42)],
    reading,
  ) as readonly [number, number, number]
  const entry: RawEntry = {
    name,
    isFolder: name.endsWith('/'),
    ...(rawName === undefined ? {} : { rawName }),
    method: u16(10),
    crc32: u32(16),
    compressedBytes,
    sizeBytes,
    headerOffset,
    flags,
    versionNeeded: u16(6),
    time: u16(12),
    date: u16(14),
    headerBytes,
    madeBy,
    internalAttributes: u16(36),
    externalAttributes: u32(38),
    extraIds: [...fields.keys()],
  }
  if (u16(34) !== 0) reading.irregular(`${name} is on another disk`)
  if (commentBytes > 0 && !reading.isTolerant) throw new ZipProblem(`${name} has a comment`)
  const found = problem ?? entryProblem(entry, reading)
  if (found !== undefined) reading.entryProblem(entry, found)
  return entry
}

interface RawName {
  readonly bytes: Uint8Array
  readonly flags: number
  readonly madeBy: number
  readonly fields: ReadonlyMap<number, Uint8Array>
}

function nameOrProblem(
  { bytes, flags, madeBy, fields }: RawName,
  reading: ZipReading,
): { readonly name: string; readonly problem?: ZipProblem; readonly rawName?: Uint8Array } {
  try {
    // Info-ZIP and macOS write UTF-8 without marking it.
    return { name: entryName(bytes, flags, fields, reading.isTolerant && isUnix(madeBy)) }
  } catch (error) {
    if (!reading.isTolerant || !(error instanceof ZipProblem)) throw error
    const isMarked = (flags & zip.UTF8_NAMES) !== 0
    // What is marked as UTF-8 and is not, programs decode in different ways.
    const name = isMarked ? undefined : reading.otherName(bytes, fields.get(UNICODE_PATH_EXTRA))
    if (name !== undefined) return { name, rawName: bytes }
    return { name: new TextDecoder('utf-8').decode(bytes), problem: error }
  }
}

function entryProblem(entry: RawEntry, reading: ZipReading): ZipProblem | undefined {
  const { name, flags, method, compressedBytes, sizeBytes, isFolder } = entry
  if ((flags & 0x2041) !== 0 || saysEncrypted(entry.extraIds))
    return new ZipProblem(`${name} is encrypted`, 'encrypted')
  const { isTolerant } = reading
  if ((flags & ~(isTolerant ? ALLOWED_FLAGS | zip.UNUSED_FLAGS : ALLOWED_FLAGS)) !== 0)
    return new ZipProblem(`${name} uses a zip feature that programs read in different ways`)
  if (method !== zip.STORED && method !== zip.DEFLATED)
    return new ZipProblem(`${name} uses compression method ${method}`, 'method')
  if (method === zip.STORED && compressedBytes !== sizeBytes) return new ZipProblem(`${name} has two sizes`)
  if (isFolder && !isEmptyFolder(entry, isTolerant)) return new ZipProblem(`the folder ${name} contains data`)
  const kind = (entry.externalAttributes >>> 28) & 15
  const unix = isUnix(entry.madeBy)
  if (unix && kind === 10) return new ZipProblem(`${name} is a symbolic link`, 'link')
  // `zip -` marks what it read from a pipe as one. Programs unpack it as a file.
  const isPiped = isTolerant && kind === 1 && !isFolder && sizeBytes > 0
  if (unix && !isPiped && ![0, 4, 8].includes(kind))
    return new ZipProblem(`${name} is a special file`, 'special')
  const saysFolder = (unix && kind === 4) || (entry.externalAttributes & 0x10) !== 0
  if (saysFolder && !isFolder) {
    const problem = `${name} is marked as a folder, but its name does not end in "/"`
    if (sizeBytes > 0) return new ZipProblem(problem)
    // It is an empty file or an empty folder.
    reading.irregular(problem)
  }
  if (unix && kind === 8 && isFolder && !isTolerant)
    return new ZipProblem(`${name} is marked as a file, but its name ends in "/"`)
  return undefined
}

/** Unix or macOS. */
function isUnix(madeBy: number): boolean {
  return madeBy >> 8 === 3 || madeBy >> 8 === 19
}

function isEmptyFolder(
  { sizeBytes, compressedBytes, crc32, method }: RawEntry,
  isTolerant: boolean,
): boolean {
  if (sizeBytes !== 0 || crc32 !== 0) return false
  // Java deflates nothing into two bytes.
  return compressedBytes === 0 || (isTolerant && method === zip.DEFLATED && compressedBytes === 2)
}

function rejectDuplicates(entries: readonly ZipEntry[], reading: ZipReading): void {
  const names = new Set<string>()
  for (const entry of entries) {
    const plain = entry.name.endsWith('/') ? entry.name.slice(0, -1) : entry.name
    if (names.has(plain))
      reading.entryProblem(entry, new ZipProblem(`two entries are named ${plain}`, 'same_name'))
    names.add(plain)
  }
}

/** Detects a flipped bit in fields that are otherwise unused. */
function checkIssuedForm(entries: readonly RawEntry[], end: EndOfDirectory): void {
  if (end.hasComment) throw new ZipProblem('an archive comment was added after the kit was issued')
  const [madeBy, needed] = end.zip64Versions ?? [zip.ISSUED_MADE_BY, zip.VERSION_ZIP64]
  if (madeBy !== zip.ISSUED_MADE_BY || needed !== zip.VERSION_ZIP64)
    throw new ZipProblem('the end record was changed after the kit was issued')
  const first = entries[0]
  let before = -1
  for (const entry of entries) {
    const zip64 = entry.extraIds.length > 0
    const holds =
      entry.madeBy === zip.ISSUED_MADE_BY &&
      entry.versionNeeded === (zip64 ? zip.VERSION_ZIP64 : zip.VERSION_PLAIN) &&
      entry.flags === zip.UTF8_NAMES &&
      entry.method === zip.STORED &&
      entry.time === first?.time &&
      entry.date === first.date &&
      entry.internalAttributes === 0 &&
      entry.externalAttributes === zip.ISSUED_ATTRIBUTES &&
      entry.extraIds.every((id) => id === zip.ZIP64_EXTRA) &&
      entry.headerOffset > before &&
      !entry.isFolder
    if (!holds) throw new ZipProblem(reason('reason.header', { path: entry.name }))
    before = entry.headerOffset
  }
}

interface EndOfDirectory {
  readonly count: number
  readonly directoryBytes: number
  readonly directoryOffset: number
  readonly hasComment: boolean
  /** From the zip64 end record, if there is one. */
  readonly zip64Versions?: readonly [madeBy: number, needed: number]
}

/**
 * Finds the end record. The last signature in the file must belong to it, and it must reach exactly to the end of the
 * file. A second matching record, or bytes between the directory and the end record, are rejected.
 */
async function endOfDirectory(source: RandomAccess, reading: ZipReading): Promise<EndOfDirectory> {
  const tailBytes = Math.min(source.sizeBytes, zip.END_RECORD_BYTES + zip.FULL_16 + zip.ZIP64_LOCATOR_BYTES)
  const tailAt = source.sizeBytes - tailBytes
  const tail = await source.read(tailAt, tailBytes)
  const at = lastEndRecord(tail, reading)
  const view = viewOf(tail.subarray(at))
  if (view.getUint16(4, true) !== 0 || view.getUint16(6, true) !== 0)
    throw new ZipProblem('the archive is split over several disks')
  const count = view.getUint16(10, true)
  if (view.getUint16(8, true) !== count) throw new ZipProblem('the end record states two entry counts')
  const end: EndOfDirectory = {
    count,
    directoryBytes: view.getUint32(12, true),
    directoryOffset: view.getUint32(16, true),
    hasComment: view.getUint16(20, true) > 0,
  }
  const locatorAt = at - zip.ZIP64_LOCATOR_BYTES
  const hasLocator = locatorAt >= 0 && viewOf(tail).getUint32(locatorAt, true) === zip.ZIP64_LOCATOR
  const locator = hasLocator ? tail.subarray(locatorAt, at) : undefined
  const complete = locator === undefined ? end : await zip64End(source, locator, tailAt + locatorAt, end)
  const directoryEnd = locator === undefined ? tailAt + at : tailAt + locatorAt - zip.ZIP64_END_RECORD_BYTES
  if (locator === undefined && isSaturated(end)) throw new ZipProblem('the zip64 end record is missing')
  if (complete.directoryOffset + complete.directoryBytes !== directoryEnd)
    throw new ZipProblem('the central directory does not end at the end record')
  return complete
}

const BEHIND = 'there are extra bytes after the end record, or a second end record'

function lastEndRecord(tail: Uint8Array, reading: ZipReading): number {
  const view = viewOf(tail)
  const candidates: number[] = []
  let loose: number | undefined
  for (
    let at = lastLetterP(tail, tail.length - zip.END_RECORD_BYTES);
    at >= 0;
    at = lastLetterP(tail, at - 1)
  ) {
    if (view.getUint32(at, true) !== zip.END_RECORD) continue
    const fits = at + zip.END_RECORD_BYTES + view.getUint16(at + 20, true) === tail.length
    if (fits) candidates.push(at)
    else if (candidates.length === 0) loose ??= at
  }
  const [last, second] = candidates
  if (loose !== undefined) {
    if (last !== undefined || hasHeader(tail.subarray(loose + 4))) throw new ZipProblem(BEHIND)
    reading.irregular(BEHIND)
    return loose
  }
  if (last === undefined) throw new ZipProblem(reason('reason.noZip'))
  if (second !== undefined) throw new ZipProblem('there are two end records')
  return last
}

/** Where a signature may begin, at or before `from`. Faster than a loop, which would run unoptimized. */
function lastLetterP(bytes: Uint8Array, from: number): number {
  return from < 0 ? -1 : bytes.lastIndexOf(0x50, from)
}

async function zip64End(
  source: RandomAccess,
  locator: Uint8Array,
  locatorOffset: number,
  end: EndOfDirectory,
): Promise<EndOfDirectory> {
  const locatorView = viewOf(locator)
  const offset = u64(locatorView, 8)
  const onOneDisk = locatorView.getUint32(4, true) === 0 && locatorView.getUint32(16, true) === 1
  if (!onOneDisk || offset !== locatorOffset - zip.ZIP64_END_RECORD_BYTES || offset < 0)
    throw new ZipProblem('the zip64 locator does not point to the zip64 end record')
  const view = viewOf((await source.read(offset, zip.ZIP64_END_RECORD_BYTES)).slice())
  const well =
    view.getUint32(0, true) === zip.ZIP64_END_RECORD &&
    u64(view, 4) === zip.ZIP64_END_RECORD_BYTES - 12 &&
    view.getUint32(16, true) === 0 &&
    view.getUint32(20, true) === 0 &&
    u64(view, 24) === u64(view, 32)
  if (!well) throw new ZipProblem('the zip64 end record is corrupt')
  const whole = {
    count: u64(view, 32),
    directoryBytes: u64(view, 40),
    directoryOffset: u64(view, 48),
    hasComment: end.hasComment,
    zip64Versions: [view.getUint16(12, true), view.getUint16(14, true)] as const,
  }
  const agrees =
    (end.count === zip.FULL_16 || end.count === whole.count) &&
    (end.directoryBytes === zip.FULL_32 || end.directoryBytes === whole.directoryBytes) &&
    (end.directoryOffset === zip.FULL_32 || end.directoryOffset === whole.directoryOffset)
  if (!agrees) throw new ZipProblem('the zip64 end record contradicts the end record')
  return whole
}

function isSaturated(end: EndOfDirectory): boolean {
  return (
    end.count === zip.FULL_16 || end.directoryBytes === zip.FULL_32 || end.directoryOffset === zip.FULL_32
  )
}
