import type { RandomAccess } from '@kitseal/kit'
import { checkType } from './check-type.ts'
import { readableInBudget, TooMuchWork } from './budget.ts'
import type { ExamineContext } from './examine-context.ts'
import type { ExaminedFile, InsideReport } from './examined-file.ts'
import { type ExamineOne, examineInner } from './examine-inner.ts'
import { emptyFile } from './file-names.ts'
import { type ContentFormat, type FileType, fileType } from './file-types.ts'
import { SMALL_BYTES } from './limits.ts'
import { buffered, copyOf, joined, memorySource } from './platform/sources.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { type Finding, type RuleCode, detailOf } from './rules.ts'
import { findAppended } from './structures/appended.ts'
import { bytesFile } from './structures/inner-files.ts'
import { decodePart } from './text/encoded-part.ts'
import {
  broken,
  type FilePlace,
  type FileToCheck,
  type InnerFile,
  SOUND,
  type Structure,
} from './structures/structure.ts'

export type FileResult = Pick<ExaminedFile, 'type' | 'detectedBy' | 'inside' | 'recognised'>

/** Checks the structure of a file that was read, then its contents, then its type. Reports the findings. */
export async function examineFile(
  ctx: ExamineContext,
  place: FilePlace,
  facts: ContentFacts,
  source: RandomAccess,
): Promise<FileResult> {
  if (facts.sizeBytes === 0) {
    ctx.report(place.displayPath, emptyFile(ctx.typesByName(place.name)))
    return { type: fileType(ctx.typesByName(place.name)[0]?.id ?? 'txt'), detectedBy: 'ending' }
  }
  const structure = await checkStructure(ctx, place, facts, source)
  const inside = await examineContents(ctx, place, structure, await textParts(ctx, place, facts, source))
  const { type, detectedBy, findings } = await checkType(
    place,
    facts,
    structure.type,
    ctx.budget.takeDescription,
  )
  const program = programFinding(facts)
  const all = [...facts.findings, ...structure.findings, ...findings, ...program]
  ctx.report(place.displayPath, ...selectFindings(all))
  return {
    type,
    detectedBy,
    inside,
    recognised: type.id === 'gz' ? inside?.recognised : facts.recognised,
  }
}

/** A program at the start is what the file is. Another one is hidden in it. */
function programFinding({ program, format }: ContentFacts): readonly Finding[] {
  if (program === undefined || program.at === 0) return []
  const detail = detailOf('detail.programAt', { offset: program.at, program: detailOf(program.what) })
  return [{ code: isMedia(format) ? 'appended_content' : 'executable_content', detail }]
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
  const { format } = facts
  const source = buffered(readableInBudget(unbuffered))
  try {
    return await checkFormat(ctx, { ...place, source }, format)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return broken(
      'not_examined_in_time',
      `it has ${unbuffered.sizeBytes} bytes, which would be read too often`,
    )
  }
}

async function checkFormat(
  ctx: ExamineContext,
  file: FileToCheck,
  format: ContentFormat,
): Promise<Structure> {
  const structure = (await format.checkStructure?.(file, ctx)) ?? SOUND
  if (structure.type !== undefined) return structure
  const isAnywhere = isMedia(format) || format.content === 'pdf'
  const appended = await findAppended(file.source, structure.covered ?? [], isAnywhere)
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
  return inner?.every(({ as }) => as === 'file') === true ? report : undefined
}

const examineEntry: ExamineOne = async (ctx, place, read, withSource) => {
  // Pictures of a document are not evidence themselves.
  const isPicture = (place.as === 'part' || place.as === 'package') && isMedia(read.format)
  const facts = isPicture ? { ...read, format: { content: read.format.content } } : read
  if (needsRandomAccess(facts) && !isPicture)
    await withSource((source) => examineFile(ctx, place, facts, source))
  else await examineFile(ctx, place, facts, memorySource(facts.whole ?? facts.head))
}

const IN_MEMORY_BYTES = 16 * SMALL_BYTES

/** The files inside of a text: attachments of a message, files in links. */
async function textParts(
  ctx: ExamineContext,
  place: FilePlace,
  { parts }: Pick<ContentFacts, 'parts'>,
  source: RandomAccess,
): Promise<readonly InnerFile[]> {
  const files: InnerFile[] = []
  for (const part of parts) {
    const { name, as } = part
    const content = (): AsyncIterable<Uint8Array> => decodePart(source, part)
    // All parts are listed before the first is examined.
    if (source.sizeBytes > IN_MEMORY_BYTES)
      files.push({ name, as, sizeBytes: await lengthOf(content()), content })
    else {
      const pieces: Uint8Array[] = []
      for await (const piece of content()) pieces.push(copyOf(piece))
      files.push(bytesFile(name, as, joined(pieces)))
    }
  }
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = parts.length === 0 ? undefined : ctx.budget.admit(0, total, source.sizeBytes)
  if (limit === undefined) return files
  ctx.report(place.displayPath, limit)
  return []
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0
  for await (const { length } of content) sizeBytes += length
  return sizeBytes
}

const RUNS = new Set<RuleCode>(['executable_content', 'script_content'])

/** Reports each rule once per file. If the file is a program or script, `type_mismatch` adds nothing. */
function selectFindings(findings: readonly Finding[]): readonly Finding[] {
  const codes = findings.map(({ code }) => code)
  const runs = codes.some((code) => RUNS.has(code))
  const isNamedWell = runs || codes.includes('encrypted_office')
  return findings.filter(
    ({ code }, index) => codes.indexOf(code) === index && !(isNamedWell && code === 'type_mismatch'),
  )
}
