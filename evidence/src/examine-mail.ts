// docs/decisions/0208
import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import { examineInner, type ExamineOne } from './examine-inner.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { type RuleCode, RULES } from './rules.ts'
import type { FilePlace, InnerFile } from './structures/structure.ts'
import { decodePart, type EncodedPart } from './text/encoded-part.ts'

const MAX_MESSAGES = 3

/** Sends the attachments of a message through the same checks. Only dangers count: mail is kept as it is. */
export async function examineParts(
  ctx: ExamineContext,
  place: FilePlace,
  { parts, findings: known }: Pick<ContentFacts, 'parts' | 'findings'>,
  source: RandomAccess,
  examine: (ctx: ExamineContext) => ExamineOne,
): Promise<void> {
  if (parts.length === 0) return
  if (place.documents >= MAX_MESSAGES) {
    ctx.report(place.displayPath, {
      code: 'nested_too_deep',
      detail: `at most ${MAX_MESSAGES} levels of messages are allowed`,
    })
    return
  }
  const files: InnerFile[] = []
  for (const part of parts) files.push(await innerFile(part, source))
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = ctx.budget.admit(files.length, total, source.sizeBytes)
  if (limit !== undefined) {
    ctx.report(place.displayPath, limit)
    return
  }
  const isKnown = (path: string | null, code: RuleCode): boolean =>
    known.some((one) => one.code === code) &&
    parts.some(({ name }) => path === `${place.displayPath}/${name}`)
  const dangersOnly: ExamineContext = {
    ...ctx,
    report(path, ...findings) {
      const dangers = findings.filter(({ code }) => RULES[code].class === 'danger')
      ctx.report(path, ...dangers.filter(({ code }) => !isKnown(path, code)))
    },
  }
  // A message is not a level of archives.
  const outer = { ...place, depth: Math.max(place.depth, 0) - 1, documents: place.documents + 1 }
  await examineInner(dangersOnly, outer, files, examine(dangersOnly))
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0
  for await (const { length } of content) sizeBytes += length
  return sizeBytes
}

async function innerFile(part: EncodedPart, source: RandomAccess): Promise<InnerFile> {
  const content = (): AsyncIterable<Uint8Array> => decodePart(source, part)
  return { name: part.name, sizeBytes: part.sizeBytes ?? (await lengthOf(content())), content }
}
