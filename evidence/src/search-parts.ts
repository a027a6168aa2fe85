import type { RandomAccess } from '@kitseal/kit'
import type { OpenArchive } from './archive.ts'
import type { Examination } from './examination.ts'
import type { FileToJudge } from './judge-file.ts'
import { OFFICE_FILE_PARTS } from './limits.ts'
import { lookAtEntry, withContent } from './look-at-entry.ts'
import { lookIntoArchive } from './look-into-archive.ts'
import { entryFindings } from './names.ts'
import { programIn } from './programs.ts'
import type { RuleCode } from './rules.ts'
import { examineCompoundFile } from './structures/compound-file.ts'
import { buffered } from './surroundings.ts'

/** Parts of an office file are no evidence of their own: they are searched for what must not be in any file. */
export async function searchParts(
  exam: Examination,
  file: FileToJudge,
  archive: OpenArchive,
): Promise<readonly string[]> {
  const limit = exam.budget.officeRatio(archive.unpackedBytes, archive.source.sizeBytes)
  if (limit !== undefined) {
    exam.report(file.shownPath, limit)
    return []
  }
  for (const [entry, finding] of archive.problems) {
    // An encrypted office file says so in a way of its own; what else is wrong with an entry damages the file.
    exam.report(file.shownPath, {
      code: 'malformed_office',
      seen: `the part ${entry.name}: ${finding.seen ?? finding.code}`,
    })
  }
  for (const entry of archive.entries) {
    const findings = archive.problems.has(entry) ? [] : entryFindings(entry)
    exam.report(`${file.shownPath}/${entry.name}`, ...findings.filter(({ code }) => REACHES_OUT.has(code)))
  }
  const parts = archive.entries.length
  if (parts > OFFICE_FILE_PARTS || !exam.budget.admitOffice(parts, archive.unpackedBytes)) {
    return ['its parts were not searched: too many']
  }
  for (const [index, entry] of archive.entries.entries()) {
    if (!archive.problems.has(entry) && !entry.isFolder) await searchPart(exam, file, archive, index)
  }
  return []
}

/** Of the names of parts: a document is unpacked as well, by programs that believe what they read. */
const REACHES_OUT = new Set<RuleCode>(['name_traversal', 'name_absolute'])

async function searchPart(
  exam: Examination,
  file: FileToJudge,
  archive: OpenArchive,
  index: number,
): Promise<void> {
  const name = archive.entries[index]?.name ?? ''
  const shownPath = `${file.shownPath}/${name}`
  const seen = await lookAtEntry(exam, archive, index, 0)
  if ('code' in seen) {
    exam.report(file.shownPath, { code: 'malformed_office', seen: `the part ${name}: ${seen.seen ?? ''}` })
    return
  }
  const program = programIn(seen.head)
  if (program !== undefined) {
    exam.report(shownPath, { code: 'executable_content', seen: `it is ${program}` })
  }
  exam.report(shownPath, ...seen.findings.filter(({ code }) => code === 'test_virus'))
  const part = { name, shownPath, depth: file.depth + 1, documents: file.documents + 1 }
  if (seen.content === 'zip') {
    await withContent(exam, archive, index, seen, (source) => lookIntoPart(exam, part, buffered(source)))
  }
  if (seen.content === 'compound') {
    await withContent(exam, archive, index, seen, async (source) => {
      const { findings } = await examineCompoundFile(buffered(source))
      exam.report(shownPath, ...findings.filter(({ code }) => IN_COMPOUND_PARTS.has(code)))
    })
  }
}

/** Old documents and objects of all kinds are embedded in new ones; that they are old is no fault of theirs here. */
const IN_COMPOUND_PARTS = new Set<RuleCode>(['macros', 'executable_content'])

/** An archive or a document in the document. A drawing or a diagram of a type that is not evidence may be there. */
async function lookIntoPart(exam: Examination, part: FileToJudge, source: RandomAccess): Promise<void> {
  const { findings } = await lookIntoArchive(exam, part, source)
  exam.report(part.shownPath, ...findings.filter(({ code }) => code !== 'unsupported_type'))
}
