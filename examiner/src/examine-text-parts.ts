import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from './examine-context.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { SMALL_BYTES } from './limits.ts'
import { copyOf, joined } from './platform/sources.ts'
import { bytesFile } from './structures/inner-files.ts'
import type { FilePlace, InnerFile } from './structures/structure.ts'
import { decodePart } from './text/encoded-part.ts'
import type { TextPart } from './text/text-check.ts'

const IN_MEMORY_BYTES = 16 * SMALL_BYTES

/** The files inside of a text: attachments of a message, objects in RTF. */
export async function textParts(
  ctx: ExamineContext,
  place: FilePlace,
  { parts }: Pick<ContentFacts, 'parts'>,
  source: RandomAccess,
): Promise<readonly InnerFile[]> {
  const files: InnerFile[] = []
  for (const part of parts) files.push(await innerFile(part, source))
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = parts.length === 0 ? undefined : ctx.budget.admit(0, total, source.sizeBytes)
  if (limit === undefined) return files
  ctx.report(place.displayPath, limit)
  return []
}

async function innerFile(part: TextPart, source: RandomAccess): Promise<InnerFile> {
  const { name, held } = part
  if ('bytes' in part) return bytesFile(name, held, part.bytes)
  const content = (): AsyncIterable<Uint8Array> => decodePart(source, part)
  // All parts are listed before the first is examined.
  if (source.sizeBytes <= IN_MEMORY_BYTES) {
    const pieces: Uint8Array[] = []
    for await (const piece of content()) pieces.push(copyOf(piece))
    return bytesFile(name, held, joined(...pieces))
  }
  return { name, held, sizeBytes: await lengthOf(content()), content }
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0
  for await (const { length } of content) sizeBytes += length
  return sizeBytes
}
