import type { RandomAccess } from '@kitseal/kit'
import { checkType } from './check-type.ts'
import { OutOfTime, readableInTime } from './deadline.ts'
import type { ExamineContext } from './examine-context.ts'
import type { ExaminedFile, InsideReport } from './examined-file.ts'
import { type ExamineOne, examineInner } from './examine-inner.ts'
import { textParts } from './examine-text-parts.ts'
import { emptyFile } from './file-names.ts'
import { type ContentFormat, type FileType, fileType } from './file-types.ts'
import { buffered, memorySource } from './platform/sources.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { type Finding, type RuleCode, RULES } from './rules.ts'
import { findAppendedArchive } from './structures/appended.ts'
import {
  broken,
  type FilePlace,
  type FileToCheck,
  type InnerFile,
  SOUND,
  type Structure,
} from './structures/structure.ts'

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
  const inside = await examineContents(ctx, place, structure, await textParts(ctx, place, facts, source))
  const { type, detectedBy, findings } = await checkType(place, facts, structure.type)
  ctx.report(place.displayPath, ...selectFindings([...facts.findings, ...structure.findings, ...findings]))
  return {
    type,
    detectedBy,
    notes: [...facts.notes, ...structure.notes],
    inside,
    recognised: type.id === 'gz' ? inside?.recognised : facts.recognised,
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
  return !('id' in format) || isMedia(format)
}

const isMedia = (format: ContentFormat): boolean =>
  'id' in format && /^(?:image|audio|video|font)\//.test((format as FileType).mediaType)

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
  const appended = await findAppendedArchive(file.source, structure.covered)
  return appended === undefined ? structure : { ...structure, findings: [...structure.findings, appended] }
}

/** Sends the files inside through the same checks. */
async function examineContents(
  ctx: ExamineContext,
  place: FilePlace,
  { inner, isKit }: Structure,
  parts: readonly InnerFile[],
): Promise<InsideReport | undefined> {
  const outer = isKit === true ? { ...place, depth: place.depth - 1, kits: place.kits + 1 } : place
  const files = [...(inner ?? []), ...parts]
  if (files.length === 0 && inner === undefined) return undefined
  const report = await examineInner(ctx, outer, files, examineEntry)
  return inner?.every(({ held }) => held === 'file') === true ? report : undefined
}

const examineEntry: ExamineOne = async (ctx, place, read, withSource) => {
  // Pictures of a document are not evidence themselves.
  const isPicture = (place.held === 'part' || place.held === 'package') && isMedia(read.format)
  const facts = isPicture ? { ...read, format: { content: read.format.content } } : read
  if (needsRandomAccess(facts) && !isPicture)
    await withSource((source) => examineFile(ctx, place, facts, source))
  else await examineFile(ctx, place, facts, memorySource(facts.whole ?? facts.head))
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
