import { type EndOfDirectory, endOfDirectory } from './zip-end.ts'
import {
  entryName,
  extraFields,
  type RandomAccess,
  saysEncrypted,
  UNICODE_PATH_EXTRA,
  viewOf,
  zip64Values,
} from './zip-fields.ts'
import { checkGap } from './zip-gap.ts'
import { ZipProblem } from './zip-problem.ts'
import type { ZipEntry } from './zip-entry.ts'
import * as zip from './zip-format.ts'
import { irregular, KIT_TOLERANCE, type ZipTolerance } from './zip-tolerance.ts'

export interface ZipDirectory {
  /** In the order of their data. */
  readonly entries: readonly ZipEntry[]
  /** Where the data ends and the directory starts. */
  readonly offset: number
  /** The archive claims to be an issued kit.zip, so its headers must have exactly the issued form. */
  readonly issued: boolean
}

const ALLOWED_FLAGS = 0x0006 | 0x0008 | zip.UTF8_NAMES

/**
 * Reads the central directory of a zip archive. Throws a ZipProblem for anything that programs read differently.
 */
export async function readZipDirectory(
  source: RandomAccess,
  tolerance: ZipTolerance = KIT_TOLERANCE,
): Promise<ZipDirectory> {
  const end = await endOfDirectory(source, tolerance)
  if (end.count > tolerance.maxEntries)
    throw new ZipProblem(
      `the archive has ${end.count} entries, the limit is ${tolerance.maxEntries}`,
      'limit',
    )
  if (end.directoryBytes > tolerance.maxDirectoryBytes)
    throw new ZipProblem('the central directory is too large', 'limit')
  if (end.count * zip.CENTRAL_HEADER_BYTES > end.directoryBytes)
    throw new ZipProblem('the central directory is too short')
  const bytes = (await source.read(end.directoryOffset, end.directoryBytes)).slice()
  const view = viewOf(bytes)
  const entries: RawEntry[] = []
  let at = 0
  for (let index = 0; index < end.count; index++) {
    const entry = centralHeader(bytes, view, at, tolerance)
    entries.push(entry)
    at += entry.headerBytes
  }
  if (at !== bytes.length) throw new ZipProblem('there are extra bytes at the end of the central directory')
  const issued = entries.some((entry) => entry.madeBy === zip.ISSUED_MADE_BY)
  if (issued) checkIssuedForm(entries, end)
  const sorted = entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  rejectDuplicates(sorted, tolerance)
  const before = sorted[0]?.headerOffset ?? end.directoryOffset
  if (before !== 0)
    await checkGap(source, 0, before, 'there are extra bytes before the first entry', tolerance)
  return { entries: sorted, offset: end.directoryOffset, issued }
}

interface RawEntry extends ZipEntry {
  readonly headerBytes: number
  readonly internalAttributes: number
  readonly externalAttributes: number
  readonly extraIds: readonly number[]
}

function centralHeader(bytes: Uint8Array, view: DataView, at: number, tolerance: ZipTolerance): RawEntry {
  const u16 = (offset: number): number => view.getUint16(at + offset, true)
  const u32 = (offset: number): number => view.getUint32(at + offset, true)
  const nameAt = at + zip.CENTRAL_HEADER_BYTES
  if (nameAt > bytes.length || u32(0) !== zip.CENTRAL_HEADER) {
    throw new ZipProblem('the central directory is corrupt')
  }
  const nameBytes = u16(28)
  const extraBytes = u16(30)
  const commentBytes = u16(32)
  const headerBytes = zip.CENTRAL_HEADER_BYTES + nameBytes + extraBytes + commentBytes
  if (at + headerBytes > bytes.length) throw new ZipProblem('the central directory is corrupt')
  const reports = tolerance.onEntryProblem !== undefined
  const fields = extraFields(
    bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes),
    tolerance,
    reports,
  )
  const flags = u16(8)
  const madeBy = u16(4)
  const unmarkedUtf8 = tolerance.unmarkedUtf8 && isUnix(madeBy)
  const { name, problem, rawName } = nameOrProblem(
    bytes.subarray(nameAt, nameAt + nameBytes),
    flags,
    fields,
    unmarkedUtf8,
    reports,
    // What is marked as UTF-8 and is not, programs decode in different ways.
    (flags & zip.UTF8_NAMES) !== 0 ? undefined : tolerance.otherName,
  )
  const [sizeBytes, compressedBytes, headerOffset] = zip64Values(
    fields,
    [u32(24), u32(20), u32(42)],
    tolerance,
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
  const found =
    problem ?? headerProblem(name, u16(34), commentBytes, tolerance) ?? entryProblem(entry, tolerance)
  if (found !== undefined) report(tolerance, entry, found)
  return entry
}

function report(tolerance: ZipTolerance, entry: ZipEntry, problem: ZipProblem): void {
  if (tolerance.onEntryProblem === undefined) throw problem
  tolerance.onEntryProblem(entry, problem)
}

function nameOrProblem(
  bytes: Uint8Array,
  flags: number,
  fields: ReadonlyMap<number, Uint8Array>,
  unmarkedUtf8: boolean,
  reports: boolean,
  otherName: ZipTolerance['otherName'] | undefined,
): { readonly name: string; readonly problem?: ZipProblem; readonly rawName?: Uint8Array } {
  try {
    return { name: entryName(bytes, flags, fields, unmarkedUtf8) }
  } catch (error) {
    if (!reports || !(error instanceof ZipProblem)) throw error
    const name = otherName?.(bytes, fields.get(UNICODE_PATH_EXTRA))
    if (name !== undefined) return { name, rawName: bytes }
    return { name: new TextDecoder('utf-8').decode(bytes), problem: error }
  }
}

function headerProblem(
  name: string,
  disk: number,
  commentBytes: number,
  tolerance: ZipTolerance,
): ZipProblem | undefined {
  if (disk !== 0 && tolerance.onIrregular === undefined) return new ZipProblem(`${name} is on another disk`)
  if (disk !== 0) irregular(tolerance, `${name} is on another disk`)
  if (commentBytes > 0 && !tolerance.entryComments) return new ZipProblem(`${name} has a comment`)
  return undefined
}

function entryProblem(entry: RawEntry, tolerance: ZipTolerance): ZipProblem | undefined {
  const { name, flags, method, compressedBytes, sizeBytes, isFolder } = entry
  if ((flags & 0x2041) !== 0 || saysEncrypted(entry.extraIds))
    return new ZipProblem(`${name} is encrypted`, 'encrypted')
  const isLenient = tolerance.onIrregular !== undefined
  if ((flags & ~(isLenient ? ALLOWED_FLAGS | zip.UNUSED_FLAGS : ALLOWED_FLAGS)) !== 0)
    return new ZipProblem(`${name} uses a zip feature that programs read in different ways`)
  if (method !== zip.STORED && method !== zip.DEFLATED)
    return new ZipProblem(`${name} uses compression method ${method}`, 'method')
  if (method === zip.STORED && compressedBytes !== sizeBytes) return new ZipProblem(`${name} has two sizes`)
  if (isFolder && !isEmptyFolder(entry, tolerance)) {
    return new ZipProblem(`the folder ${name} contains data`)
  }
  const kind = (entry.externalAttributes >>> 28) & 15
  const unix = isUnix(entry.madeBy)
  if (unix && kind === 10) return new ZipProblem(`${name} is a symbolic link`, 'link')
  const isPiped = tolerance.pipedContent && kind === 1 && !isFolder && sizeBytes > 0
  if (unix && !isPiped && ![0, 4, 8].includes(kind))
    return new ZipProblem(`${name} is a special file`, 'special')
  const saysFolder = (unix && kind === 4) || (entry.externalAttributes & 0x10) !== 0
  // Without content, it is an empty file or an empty folder.
  if (saysFolder && !isFolder && isLenient && sizeBytes === 0)
    irregular(tolerance, `${name} is marked as a folder, but its name does not end in "/"`)
  else if (saysFolder && !isFolder)
    return new ZipProblem(`${name} is marked as a folder, but its name does not end in "/"`)
  if (unix && kind === 8 && isFolder && !isLenient)
    return new ZipProblem(`${name} is marked as a file, but its name ends in "/"`)
  return undefined
}

/** Unix or macOS. */
function isUnix(madeBy: number): boolean {
  return madeBy >> 8 === 3 || madeBy >> 8 === 19
}

function isEmptyFolder(
  { sizeBytes, compressedBytes, crc32, method }: RawEntry,
  tolerance: ZipTolerance,
): boolean {
  if (sizeBytes !== 0 || crc32 !== 0) return false
  return (
    compressedBytes === 0 || (tolerance.deflatedFolders && method === zip.DEFLATED && compressedBytes === 2)
  )
}

function rejectDuplicates(entries: readonly ZipEntry[], tolerance: ZipTolerance): void {
  const names = new Set<string>()
  for (const entry of entries) {
    const plain = entry.name.endsWith('/') ? entry.name.slice(0, -1) : entry.name
    if (names.has(plain)) report(tolerance, entry, new ZipProblem(`two entries are named ${plain}`, 'twin'))
    names.add(plain)
  }
}

/** Detects a flipped bit in fields that are otherwise unused. */
function checkIssuedForm(entries: readonly RawEntry[], end: EndOfDirectory): void {
  if (end.hasComment) throw new ZipProblem('an archive comment was added after the kit was issued')
  const [madeBy, needed] = end.zip64Versions ?? [zip.ISSUED_MADE_BY, zip.VERSION_ZIP64]
  if (madeBy !== zip.ISSUED_MADE_BY || needed !== zip.VERSION_ZIP64) {
    throw new ZipProblem('the end record was changed after the kit was issued')
  }
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
    if (!holds) throw new ZipProblem(`the header of ${entry.name} was changed after the kit was issued`)
    before = entry.headerOffset
  }
}
