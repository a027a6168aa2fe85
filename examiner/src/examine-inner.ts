import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import type { InsideReport } from './examined-file.ts'
import { signature } from './detect/signatures.ts'
import { entryPath, isSystemFile } from './file-names.ts'
import { inPieces, memorySource } from './platform/sources.ts'
import type { RecognisedOutput } from './recognise/recognise.ts'
import { type ContentFacts, ContentPass } from './read/content-pass.ts'
import { type Finding, type RuleCode, RULES, detailOf } from './rules.ts'
import { type Containment, type FilePlace, type InnerFile, InnerProblem } from './structures/structure.ts'

export type ExamineOne = (
  ctx: ExamineContext,
  place: FilePlace,
  facts: ContentFacts,
  withSource: (use: (source: RandomAccess) => Promise<unknown>) => Promise<void>,
) => Promise<void>

/** Honest files are nested about half as deep. */
const MAX_LEVELS = 12

/** Sends the files inside another one through the same checks as a file that was uploaded. */
export async function examineInner(
  ctx: ExamineContext,
  place: FilePlace,
  files: readonly InnerFile[],
  examine: ExamineOne,
): Promise<InsideReport> {
  let bytes = 0
  let recognised: RecognisedOutput | undefined
  if (place.levels >= MAX_LEVELS && files.length > 0) {
    ctx.report(place.displayPath, {
      code: 'nested_too_deep',
      detail: detailOf('detail.levels', { count: MAX_LEVELS }),
    })
    return { files: 0, bytes }
  }
  for (const file of files) {
    if (!ctx.budget.takePart(file.sizeBytes)) {
      ctx.report(place.displayPath, {
        code: 'not_examined_in_time',
        detail: detailOf('detail.tooManyPartsInAll'),
      })
      break
    }
    const inner = placeOf(place, file)
    const isSystem = isSystemFile(entryPath({ name: file.name, isFolder: false }))
    const within = countedBy(ctx, isSystem ? 'part' : file.as)
    const facts = await readInner(ctx, file)
    if ('code' in facts) {
      if (file.as === 'file' || file.as === 'attachment') within.report(inner.displayPath, facts)
      else ctx.report(place.displayPath, damagedPart(file, facts))
      continue
    }
    if (isSystem && isAppleDouble(facts.head)) continue
    bytes += facts.sizeBytes
    recognised = facts.recognised
    await examine(within, inner, facts, (use) => withInnerSource(ctx, file, facts, use))
  }
  return { files: files.length, bytes, recognised: files.length === 1 ? recognised : undefined }
}

/** A document should be saved again, not packed again. */
const damagedPart = ({ name }: InnerFile, { code, detail }: Finding): Finding => ({
  code: 'malformed_office',
  detail: detailOf('detail.part', { part: name, what: detail ?? code }),
})

/** What macOS keeps about a file, under the name of the file. */
const isAppleDouble = signature('00051607')

function placeOf(place: FilePlace, { name, as }: InnerFile): FilePlace {
  const displayPath = `${place.displayPath}/${name}`
  const outer = { ...place, name, displayPath, as, levels: place.levels + 1 }
  // Only archives and Office files are levels of their own.
  if (as === 'attachment') return { ...outer, depth: Math.max(place.depth, 0) }
  return { ...outer, depth: place.depth + 1, documents: place.documents + (as === 'file' ? 0 : 1) }
}

/** What is marked in parts of a document, whose form is not evidence itself. */
const MARKED = new Set<RuleCode>([
  'active_content',
  'script_content',
  'partly_examined',
  'not_examined_in_time',
  'macros',
  'possible_secret',
])
const ENCRYPTED = new Set<RuleCode>(['encrypted_archive', 'encrypted_office', 'encrypted_pdf'])
/** Pictures and texts of a document often contain these. */
const COMMON_IN_PARTS = new Set<RuleCode>(['private_key', 'appended_content'])

/** What a finding becomes in a file that is contained like this. Undefined if it does not count there. */
const COUNTED: Readonly<Record<Containment, (finding: Finding) => Finding | undefined>> = {
  file: (finding) => finding,
  attachment: (finding) =>
    RULES[finding.code].class === 'damage' && finding.code !== 'macros' ? notExamined(finding) : finding,
  package: inPackage,
  part: (finding) => (COMMON_IN_PARTS.has(finding.code) ? undefined : inPackage(finding)),
}

function inPackage(finding: Finding): Finding | undefined {
  const { code } = finding
  if (code === 'xml_entities') return { code: 'active_content', detail: detailOf('detail.declaresEntities') }
  if (ENCRYPTED.has(code)) return notExamined(finding)
  return RULES[code].class === 'danger' || MARKED.has(code) ? finding : undefined
}

/** A message is evidence of what was received: damage in it is only marked. */
function notExamined({ code, detail }: Finding): Finding {
  const rule = detailOf(`finding.${code}.message`)
  return {
    code: 'partly_examined',
    detail: detail === undefined ? rule : detailOf('detail.ruleAnd', { rule, what: detail }),
  }
}

/** A context in which findings count as they do in a file that is contained like this. */
function countedBy(ctx: ExamineContext, as: Containment): ExamineContext {
  if (as === 'file') return ctx
  const counted = COUNTED[as]
  return {
    ...ctx,
    report: (path, ...findings) => ctx.report(path, ...findings.flatMap((one) => counted(one) ?? [])),
  }
}

async function readInner(ctx: ExamineContext, file: InnerFile): Promise<ContentFacts | Finding> {
  const { name, sizeBytes, as, checkText } = file
  const takeRecognising = as === 'part' || as === 'package' ? undefined : ctx.budget.takeRecognising
  const pass = new ContentPass(
    { name, sizeBytes, checksums: 'none', takeRecognising, checkText },
    ctx.platform.host,
  )
  try {
    for await (const bytes of inPieces(file.content(), Math.min(PIECE_BYTES, sizeBytes))) pass.push(bytes)
  } catch (error) {
    if (error instanceof InnerProblem) return error.finding
    throw error
  }
  return pass.end()
}

/** Content that is decoded line by line is read in larger pieces: each costs more than its bytes. */
const PIECE_BYTES = 64 * 1024

async function withInnerSource(
  ctx: ExamineContext,
  file: InnerFile,
  { whole }: ContentFacts,
  use: (source: RandomAccess) => Promise<unknown>,
): Promise<void> {
  const source = whole === undefined ? file.source?.() : memorySource(whole)
  if (source !== undefined) {
    await use(source)
    return
  }
  const stored = await ctx.platform.store(file.content())
  try {
    await use(stored.source)
  } finally {
    await stored.discard()
  }
}
