import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import type { InsideReport } from './examined-file.ts'
import { signature } from './detect/signatures.ts'
import { entryPath, isSystemFile } from './file-names.ts'
import { memorySource, sourceRange } from './platform/sources.ts'
import type { RecognisedOutput } from './recognise/recognised-output.ts'
import { type ContentFacts, ContentPass } from './read/content-pass.ts'
import { withPrefix } from './read/read-entry.ts'
import { type Finding, type RuleCode, RULES } from './rules.ts'
import type { Held } from './structures/held.ts'
import { type FilePlace, type InnerFile, InnerProblem } from './structures/structure.ts'

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
      detail: `at most ${MAX_LEVELS} levels are allowed`,
    })
    return { files: 0, bytes }
  }
  for (const file of files) {
    const inner = placeOf(place, file)
    const isSystem = isSystemFile(entryPath({ name: file.name, isFolder: false }))
    const within = countedBy(ctx, isSystem ? 'part' : file.held)
    const facts = await readInner(ctx, file)
    if ('code' in facts) {
      if (file.held === 'file' || file.held === 'attachment') within.report(inner.displayPath, facts)
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
  detail: `part ${name}: ${detail ?? code}`,
})

/** What macOS keeps about a file, under the name of the file. */
const isAppleDouble = signature('00051607')

function placeOf(place: FilePlace, { name, held }: InnerFile): FilePlace {
  const displayPath = `${place.displayPath}/${name}`
  const outer = { ...place, name, displayPath, held, levels: place.levels + 1 }
  // Only archives and Office files are levels of their own.
  if (held === 'attachment' || held === 'object') return { ...outer, depth: Math.max(place.depth, 0) }
  return { ...outer, depth: place.depth + 1, documents: place.documents + (held === 'file' ? 0 : 1) }
}

/** What is marked in parts of a document, whose form is not evidence itself. */
const MARKED = new Set<RuleCode>(['active_content', 'script_content', 'empty_macros', 'partly_examined'])
const ENCRYPTED = new Set<RuleCode>([
  'encrypted_archive',
  'encrypted_content',
  'encrypted_office',
  'encrypted_pdf',
])
/** Pictures and texts of a document often contain these. */
const COMMON_IN_PARTS = new Set<RuleCode>(['private_key', 'appended_content'])

/** What a finding becomes in a file that is held like this. Undefined if it does not count there. */
const COUNTED: Readonly<Record<Held, (finding: Finding) => Finding | undefined>> = {
  file: (finding) => finding,
  attachment: (finding) => (RULES[finding.code].class === 'damage' ? notExamined(finding) : finding),
  object: (finding) => (finding.code === 'unsupported_type' ? finding : inPackage(finding)),
  package: inPackage,
  part: (finding) => (COMMON_IN_PARTS.has(finding.code) ? undefined : inPackage(finding)),
}

function inPackage(finding: Finding): Finding | undefined {
  const { code } = finding
  if (code === 'xml_entities') return { code: 'active_content', detail: 'it declares entities' }
  if (ENCRYPTED.has(code)) return notExamined(finding)
  return RULES[code].class === 'danger' || MARKED.has(code) ? finding : undefined
}

/** A message is evidence of what was received: damage in it is only marked. */
function notExamined({ code, detail }: Finding): Finding {
  const { message } = RULES[code]
  return { code: 'partly_examined', detail: detail === undefined ? message : `${message} (${detail})` }
}

/** A context in which findings count as they do in a file that is held like this. */
function countedBy(ctx: ExamineContext, held: Held): ExamineContext {
  if (held === 'file') return ctx
  const counted = COUNTED[held]
  return {
    ...ctx,
    report: (path, ...findings) => ctx.report(path, ...findings.flatMap((one) => counted(one) ?? [])),
  }
}

const PARSE_NOTHING = { takeParsing: (): boolean => false, takeRecognising: undefined }

async function readInner(ctx: ExamineContext, file: InnerFile): Promise<ContentFacts | Finding> {
  const { name, sizeBytes, held, checkText } = file
  // The XML of documents is searched, not parsed.
  const isPart = held === 'part' || held === 'package'
  const { takeParsing, takeRecognising } = isPart ? PARSE_NOTHING : ctx.budget
  const pass = new ContentPass(
    { name, sizeBytes, checksums: 'none', takeParsing, takeRecognising, now: ctx.now, checkText },
    ctx.platform.host,
  )
  try {
    for await (const bytes of file.content()) pass.push(bytes)
  } catch (error) {
    if (error instanceof InnerProblem) return error.finding
    throw error
  }
  return pass.end()
}

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
  const label = ctx.nextLabel()
  const stored = await ctx.platform.store(withPrefix(label, file.content()))
  try {
    await use(sourceRange(stored.source, label.length, file.sizeBytes))
  } finally {
    await stored.discard()
  }
}
