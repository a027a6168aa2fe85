import type { RandomAccess, ZipEntry } from '@kitseal/kit'
import { pathCollisions, ZipProblem } from '@kitseal/kit'
import { entryContent, findingOf, locate, openArchive, type OpenArchive } from './archive.ts'
import { tooMany } from './budget.ts'
import type { Examination, InsideReport } from './examination.ts'
import { type FileToJudge, judgeFile, needsPosition } from './judge-file.ts'
import type { InsideType } from './judge-type.ts'
import { Look, type Seen } from './look.ts'
import { OFFICE_FILE_PARTS } from './limits.ts'
import { isLitter, nameFinding, normalized } from './names.ts'
import { programIn } from './programs.ts'
import type { Finding } from './rules.ts'
import { tellOfficeFile } from './structures/office.ts'
import { memorySource, partOf } from './surroundings.ts'

export interface ArchiveLook {
  readonly type: InsideType
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly inside?: InsideReport
}

/**
 * A ZIP that is kept whole: an office file, or an archive inside the uploaded one. What it holds is examined by the same
 * rules, and stays where it is.
 */
export async function lookIntoArchive(
  exam: Examination,
  file: FileToJudge,
  source: RandomAccess,
): Promise<ArchiveLook> {
  const archive = await openArchive(source, exam.limits.entries)
  if ('code' in archive) return refused(archive)
  const office = await tellOfficeFile(archive, exam.surroundings)
  if (office !== undefined) {
    const other: Finding[] =
      office.seen === undefined ? [] : [{ code: 'unsupported_type', seen: `it is ${office.seen}` }]
    const notes = await searchParts(exam, file, archive)
    return { type: office.type ?? 'refused', findings: [...office.findings, ...other], notes }
  }
  if (file.depth >= exam.limits.nesting) {
    return refused({ code: 'nested_too_deep', seen: `archives may be ${exam.limits.nesting} levels deep` })
  }
  if (archive.entries.length > exam.budget.entriesLeft) {
    return refused(tooMany(archive.entries.length, exam.limits.entries))
  }
  const limit = exam.budget.admit(archive.entries.length, archive.unpackedBytes, source.sizeBytes)
  if (limit !== undefined) return refused(limit)
  return { type: 'zip', findings: [], notes: [], inside: await examineEntries(exam, file, archive) }
}

function refused(finding: Finding): ArchiveLook {
  return { type: 'refused', findings: [finding], notes: [] }
}

/** Parts of an office file are no evidence of their own: they are searched for what must not be in any file. */
async function searchParts(
  exam: Examination,
  file: FileToJudge,
  archive: OpenArchive,
): Promise<readonly string[]> {
  const { ratio } = exam.limits
  if (archive.unpackedBytes > ratio * archive.source.sizeBytes) {
    exam.report(file.shownPath, {
      code: 'archive_ratio',
      seen: `it unpacks to ${archive.unpackedBytes} bytes`,
    })
    return []
  }
  for (const [entry, finding] of archive.problems) {
    // An encrypted office file says so in a way of its own; what else is wrong with an entry damages the file.
    exam.report(file.shownPath, {
      code: 'malformed_office',
      seen: `${entry.name}: ${finding.seen ?? finding.code}`,
    })
  }
  const parts = archive.entries.length
  if (parts > OFFICE_FILE_PARTS || !exam.budget.admitOffice(parts, archive.unpackedBytes)) {
    return ['its parts were not searched: too many']
  }
  for (const [index, entry] of archive.entries.entries()) {
    if (archive.problems.has(entry) || entry.isFolder) continue
    const seen = await lookAtEntry(exam, archive, index, 0)
    if ('code' in seen) {
      exam.report(file.shownPath, { code: 'malformed_office', seen: `${entry.name}: ${seen.seen ?? ''}` })
      continue
    }
    const program = programIn(seen.head)
    if (program !== undefined) {
      exam.report(`${file.shownPath}/${entry.name}`, { code: 'executable_content', seen: `it is ${program}` })
    }
    exam.report(
      `${file.shownPath}/${entry.name}`,
      ...seen.findings.filter(({ code }) => code === 'test_virus'),
    )
  }
  return []
}

async function examineEntries(
  exam: Examination,
  { shownPath, depth }: FileToJudge,
  archive: OpenArchive,
): Promise<InsideReport> {
  let [files, bytes] = [0, 0]
  for (const path of reportNames(exam, shownPath, archive)) exam.report(shownPath, path)
  for (const [index, entry] of archive.entries.entries()) {
    if (archive.problems.has(entry) || entry.isFolder) continue
    const path = `${shownPath}/${entry.name}`
    const seen = await lookAtEntry(exam, archive, index, exam.budget.parsedBytes)
    if ('code' in seen) {
      exam.report(path, seen)
      continue
    }
    files++
    bytes += seen.sizeBytes
    exam.budget.parsedBytes -= seen.parsedBytes
    if (isLitter(entry.name)) {
      exam.report(path, ...seen.findings.filter(({ code }) => code === 'test_virus'))
      continue
    }
    await judgeInside(exam, { name: entry.name, shownPath: path, depth: depth + 1 }, archive, index, seen)
  }
  return { files, bytes }
}

/** Reports what is wrong with names and headers; returns collisions, which belong to the archive as a whole. */
function reportNames(exam: Examination, shownPath: string, archive: OpenArchive): readonly Finding[] {
  for (const entry of archive.entries) {
    const finding = archive.problems.get(entry) ?? nameFinding(normalized(entry.name.replace(/\/$/, '')))
    if (finding !== undefined) exam.report(`${shownPath}/${entry.name}`, finding)
  }
  const names = archive.entries.filter((entry) => !entry.isFolder && !archive.problems.has(entry))
  return pathCollisions(names.map(({ name }) => name)).map((seen) => ({ code: 'name_collision', seen }))
}

async function judgeInside(
  exam: Examination,
  file: FileToJudge,
  archive: OpenArchive,
  index: number,
  seen: Seen,
): Promise<void> {
  const entry = archive.entries[index] as ZipEntry
  if (seen.whole !== undefined || !needsPosition(seen)) {
    await judgeFile(exam, file, seen, memorySource(seen.whole ?? seen.head))
    return
  }
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') return
  if (entry.method === 0) {
    await judgeFile(exam, file, seen, partOf(archive.source, dataAt, entry.sizeBytes))
    return
  }
  const aside = await exam.surroundings.setAside(entryContent(archive, entry, dataAt, exam.surroundings))
  try {
    await judgeFile(exam, file, seen, aside.source)
  } finally {
    await aside.discard()
  }
}

/** One pass over an entry; what is wrong with the entry itself comes back as a finding. */
async function lookAtEntry(
  exam: Examination,
  archive: OpenArchive,
  index: number,
  parsedBytes: number,
): Promise<Seen | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') return dataAt
  const { sizeBytes, name } = entry
  const look = new Look({ path: name, sizeBytes, measured: false, parsedBytes }, exam.surroundings.host)
  let crc32 = 0
  try {
    for await (const bytes of entryContent(archive, entry, dataAt, exam.surroundings)) {
      crc32 = exam.surroundings.host.crc32(bytes, crc32)
      look.push(bytes)
    }
  } catch (error) {
    return findingOf(error)
  }
  if (crc32 !== entry.crc32) return findingOf(new ZipProblem('the CRC-32 is wrong'))
  return look.end()
}
