import type { RandomAccess } from '@kitseal/kit'
import { checkType } from './check-type.ts'
import { OutOfTime, readableInTime } from './deadline.ts'
import { programIn } from './detect/programs.ts'
import type { ExamineContext } from './examine-context.ts'
import type { ExaminedFile, InsideReport } from './examined-file.ts'
import { examineInner } from './examine-inner.ts'
import { examineParts } from './examine-mail.ts'
import { emptyFile, entryPath, isSystemFile } from './file-names.ts'
import { type ContentFormat, type FileType, fileType } from './file-types.ts'
import { buffered, memorySource } from './platform/sources.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { drained, readEntry, withEntrySource } from './read/read-entry.ts'
import { type Finding, type RuleCode, RULES } from './rules.ts'
import { findAppendedArchive } from './structures/appended.ts'
import { broken, type FilePlace, type FileToCheck, SOUND, type Structure } from './structures/structure.ts'

export type FileResult = Pick<ExaminedFile, 'type' | 'detectedBy' | 'notes' | 'inside' | 'recognised'>

/** Checks the structure of a file that was read, then its contents, then its type. Reports the findings. */
export async function examineFile(
  ctx: ExamineContext,
  place: FilePlace,
  facts: ContentFacts,
  source: RandomAccess,
): Promise<FileResult> {
  if (facts.sizeBytes === 0) {
    ctx.report(place.displayPath, emptyFile(ctx.typesByName(place.name)))
    return { type: fileType(ctx.typesByName(place.name)[0]?.id ?? 'txt'), detectedBy: 'ending', notes: [] }
  }
  const structure = await checkStructure(ctx, place, facts, source)
  const inside =
    (await examineContents(ctx, place, structure)) ?? (await examineInnerFiles(ctx, place, structure))
  await examineParts(
    ctx,
    place,
    facts,
    source,
    (inner) => (file, innerFacts, withSource) => examineEntry(inner, file, innerFacts, withSource),
  )
  const { type, detectedBy, findings } = await checkType(place.name, facts, structure.type)
  ctx.report(place.displayPath, ...selectFindings([...facts.findings, ...structure.findings, ...findings]))
  return {
    type,
    detectedBy,
    notes: [...facts.notes, ...structure.notes],
    inside,
    recognised: facts.recognised,
  }
}

/** Whether `examineFile` needs random access to the content. */
export function needsRandomAccess(facts: ContentFacts): boolean {
  return facts.parts.length > 0 || hasStructure(facts)
}

function hasStructure({ format, isCleanText }: ContentFacts): boolean {
  return format.checkStructure !== undefined || (!isCleanText && mayHideArchive(format))
}

/** Content of an unknown type, and media, which ends anywhere. An archive inside another archive or a capture is expected. */
function mayHideArchive(format: ContentFormat): boolean {
  if (!('id' in format)) return true
  return /^(?:image|audio|video|font)\//.test((format as FileType).mediaType)
}

async function checkStructure(
  ctx: ExamineContext,
  place: FilePlace,
  facts: ContentFacts,
  unbuffered: RandomAccess,
): Promise<Structure> {
  if (!hasStructure(facts)) return SOUND
  const { format, markersAt } = facts
  const source = buffered(readableInTime(unbuffered, ctx.now))
  try {
    return await checkFormat(ctx, { ...place, source, markersAt }, format)
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return broken('not_examined_in_time', `it has ${unbuffered.sizeBytes} bytes`)
  }
}

async function checkFormat(
  ctx: ExamineContext,
  file: FileToCheck,
  format: ContentFormat,
): Promise<Structure> {
  const structure = (await format.checkStructure?.(file, ctx)) ?? SOUND
  if (structure.type !== undefined) return structure
  const appended = await findAppendedArchive(file.source)
  return appended === undefined ? structure : { ...structure, findings: [...structure.findings, appended] }
}

/** Sends the entries of an archive, or the parts of a document, through the same checks. */
async function examineContents(
  ctx: ExamineContext,
  place: FilePlace,
  { contents, isKit }: Structure,
): Promise<InsideReport | undefined> {
  if (contents === undefined) return undefined
  const { archive, are } = contents
  const [examine, takeParsing] =
    are === 'files' ? [examineEntry, ctx.budget.takeParsing] : [examinePart, (): boolean => false]
  let [files, bytes] = [0, 0]
  for (const [index, entry] of archive.entries.entries()) {
    if (archive.problems.has(entry) || entry.isFolder) continue
    const displayPath = `${place.displayPath}/${entry.name}`
    const facts = await drained(
      readEntry(ctx, archive, index, { checksums: 'crc32', takeParsing, now: ctx.now }),
    )
    if ('code' in facts) {
      if (are === 'files') ctx.report(displayPath, facts)
      else {
        const detail = `part ${entry.name}: ${facts.detail ?? ''}`
        ctx.report(place.displayPath, { code: 'malformed_office', detail })
      }
      continue
    }
    files++
    bytes += facts.sizeBytes
    const documents = place.documents + (are === 'parts' ? 1 : 0)
    const levels = isKit === true ? { depth: place.depth, kits: place.kits + 1 } : { depth: place.depth + 1 }
    const inner = { ...place, name: entry.name, displayPath, documents, ...levels }
    await examine(ctx, inner, facts, (use) => withEntrySource(ctx, archive, index, facts, use))
  }
  return are === 'files' ? { files, bytes } : undefined
}

function examineInnerFiles(
  ctx: ExamineContext,
  place: FilePlace,
  { inner }: Structure,
): Promise<InsideReport> | undefined {
  if (inner === undefined) return undefined
  return examineInner(ctx, place, inner, (file, facts, withSource) =>
    examineEntry(ctx, file, facts, withSource),
  )
}

type WithSource = (use: (source: RandomAccess) => Promise<unknown>) => Promise<void>

async function examineEntry(
  ctx: ExamineContext,
  place: FilePlace,
  facts: ContentFacts,
  withSource: WithSource,
): Promise<void> {
  if (isSystemFile(entryPath({ name: place.name, isFolder: false }))) {
    ctx.report(place.displayPath, ...facts.findings.filter(({ code }) => code === 'test_virus'))
  } else if (needsRandomAccess(facts)) {
    await withSource((source) => examineFile(ctx, place, facts, source))
  } else await examineFile(ctx, place, facts, memorySource(facts.whole ?? facts.head))
}

/** Which findings count in parts of a document. Embedded files of unsupported or legacy types are allowed there. */
const COUNTS_IN_PART: Readonly<Record<string, (code: RuleCode) => boolean>> = {
  zip: (code) => code !== 'unsupported_type',
  compound: (code) => code === 'macros' || code === 'executable_content',
}

async function examinePart(
  ctx: ExamineContext,
  part: FilePlace,
  facts: ContentFacts,
  withSource: WithSource,
): Promise<void> {
  const program = programIn(facts.head)
  if (program !== undefined) {
    ctx.report(part.displayPath, { code: 'executable_content', detail: `it is ${program}` })
  }
  ctx.report(part.displayPath, ...facts.findings.filter(({ code }) => code === 'test_virus'))
  const counts = COUNTS_IN_PART[facts.format.content]
  if (counts === undefined) return
  await withSource(async (source) => {
    const structure = await checkStructure(ctx, part, facts, source)
    await examineContents(ctx, part, structure)
    ctx.report(part.displayPath, ...structure.findings.filter(({ code }) => counts(code)))
  })
}

const RUNS = new Set<RuleCode>(['executable_content', 'script_content'])

/**
 * Reports each rule once per file. If the type is wrong, a notice that it does not parse adds nothing; if the file is a
 * program or script, nor does `type_mismatch`.
 */
function selectFindings(findings: readonly Finding[]): readonly Finding[] {
  const codes = findings.map(({ code }) => code)
  const runs = codes.some((code) => RUNS.has(code))
  const isOtherType = runs || codes.includes('type_mismatch')
  const isNamedWell = runs || codes.includes('encrypted_office')
  return findings.filter(
    ({ code }, index) =>
      codes.indexOf(code) === index &&
      !(isOtherType && code.startsWith('malformed_') && RULES[code].class === 'notice') &&
      !(isNamedWell && code === 'type_mismatch'),
  )
}
