import { type RandomAccess, ZipProblem } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import type { InsideReport } from './examined-file.ts'
import { chunks, memorySource, sourceRange } from './platform/sources.ts'
import { type ContentFacts, ContentPass } from './read/content-pass.ts'
import { withPrefix } from './read/read-entry.ts'
import type { FilePlace, InnerFile } from './structures/structure.ts'

export type ExamineOne = (
  place: FilePlace,
  facts: ContentFacts,
  withSource: (use: (source: RandomAccess) => Promise<unknown>) => Promise<void>,
) => Promise<void>

/** Sends the files inside a tar or gzip file through the same checks. */
export async function examineInner(
  ctx: ExamineContext,
  place: FilePlace,
  files: readonly InnerFile[],
  examine: ExamineOne,
): Promise<InsideReport> {
  let bytes = 0
  for (const file of files) {
    const displayPath = `${place.displayPath}/${file.name}`
    const facts = await readInner(ctx, file)
    if (facts === undefined) {
      ctx.report(place.displayPath, { code: 'malformed_gzip' })
      continue
    }
    bytes += facts.sizeBytes
    const inner = { ...place, name: file.name, displayPath, depth: place.depth + 1 }
    await examine(inner, facts, (use) => withInnerSource(ctx, file, facts, use))
  }
  return { files: files.length, bytes }
}

async function readInner(ctx: ExamineContext, file: InnerFile): Promise<ContentFacts | undefined> {
  const { name, sizeBytes } = file
  const { takeParsing } = ctx.budget
  const pass = new ContentPass(
    { name, sizeBytes, checksums: 'none', takeParsing, now: ctx.now },
    ctx.platform.host,
  )
  try {
    for await (const bytes of contentOf(file)) pass.push(bytes)
  } catch (error) {
    if (error instanceof ZipProblem) return undefined
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
  if (whole !== undefined) await use(memorySource(whole))
  else if ('source' in file) await use(file.source)
  else {
    const label = ctx.nextLabel()
    const stored = await ctx.platform.store(withPrefix(label, file.content()))
    try {
      await use(sourceRange(stored.source, label.length, file.sizeBytes))
    } finally {
      await stored.discard()
    }
  }
}

const contentOf = (file: InnerFile): AsyncIterable<Uint8Array> =>
  'source' in file ? chunks(file.source) : file.content()
