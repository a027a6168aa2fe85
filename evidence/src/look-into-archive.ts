import { pathCollisions, type RandomAccess } from '@kitseal/kit'
import { openArchive, type OpenArchive } from './archive.ts'
import type { Examination, InsideReport } from './examination.ts'
import { endingOf, typeOfEnding } from './file-types.ts'
import { type FileToJudge, judgeFile, needsPosition } from './judge-file.ts'
import { type InsideType, unopenedFindings } from './judge-type.ts'
import { lookAtEntry, withContent } from './look-at-entry.ts'
import { entryFindings, entryPath, isLitter } from './names.ts'
import type { Finding } from './rules.ts'
import { searchParts } from './search-parts.ts'
import { tellOfficeFile } from './structures/office.ts'
import { memorySource } from './surroundings.ts'

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
  if ('code' in archive) return refused(asItsName(file.name, archive))
  const office = await tellOfficeFile(archive, exam.surroundings)
  if (office !== undefined) {
    if (file.documents > exam.limits.nesting) {
      return refused({
        code: 'nested_too_deep',
        seen: `documents may be ${exam.limits.nesting} levels deep in one another`,
      })
    }
    const other: Finding[] =
      office.seen === undefined ? [] : [{ code: 'unsupported_type', seen: `it is ${office.seen}` }]
    const notes = await searchParts(exam, file, archive)
    return { type: office.type ?? 'refused', findings: [...office.findings, ...other], notes }
  }
  if (file.depth >= exam.limits.nesting) {
    return refused({ code: 'nested_too_deep', seen: `archives may be ${exam.limits.nesting} levels deep` })
  }
  const limit = exam.budget.admit(archive.entries.length, archive.unpackedBytes, source.sizeBytes)
  reportNames(exam, file.shownPath, archive)
  if (limit !== undefined) {
    for (const entry of archive.entries) {
      if (entry.isFolder || archive.problems.has(entry) || isLitter(entryPath(entry))) continue
      exam.report(`${file.shownPath}/${entry.name}`, ...unopenedFindings(entry))
    }
    return refused(limit)
  }
  return { type: 'zip', findings: [], notes: [], inside: await examineEntries(exam, file, archive) }
}

/** Who sends a broken document has packed nothing, and can pack nothing again. */
function asItsName(name: string, finding: Finding): Finding {
  const type = typeOfEnding(endingOf(name))
  const isDocument = type?.content === 'zip' && type.id !== 'zip'
  return isDocument && finding.code === 'unreadable_archive'
    ? { ...finding, code: 'malformed_office' }
    : finding
}

function refused(finding: Finding): ArchiveLook {
  return { type: 'refused', findings: [finding], notes: [] }
}

async function examineEntries(
  exam: Examination,
  { shownPath, depth, documents }: FileToJudge,
  archive: OpenArchive,
): Promise<InsideReport> {
  let [files, bytes] = [0, 0]
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
    if (isLitter(entryPath(entry))) {
      exam.report(path, ...seen.findings.filter(({ code }) => code === 'test_virus'))
      continue
    }
    const inner = { name: entry.name, shownPath: path, depth: depth + 1, documents }
    if (needsPosition(seen)) {
      await withContent(exam, archive, index, seen, (source) => judgeFile(exam, inner, seen, source))
    } else await judgeFile(exam, inner, seen, memorySource(seen.whole ?? seen.head))
  }
  return { files, bytes }
}

/** Reports what is wrong with names and headers; collisions belong to the archive as a whole. */
function reportNames(exam: Examination, shownPath: string, archive: OpenArchive): void {
  for (const entry of archive.entries) {
    const problem = archive.problems.get(entry)
    exam.report(`${shownPath}/${entry.name}`, ...(problem === undefined ? entryFindings(entry) : [problem]))
  }
  const names = archive.entries.filter((entry) => !entry.isFolder && !archive.problems.has(entry))
  for (const seen of pathCollisions(names.map(entryPath))) {
    exam.report(shownPath, { code: 'name_collision', seen: `in it, ${seen}` })
  }
}
