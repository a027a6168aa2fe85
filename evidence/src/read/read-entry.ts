import { type RandomAccess, type ZipEntry, ZipProblem } from '@kitseal/kit'
import { entryContent, locateContent, type OpenArchive, zipFinding } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import { memorySource, sourceRange } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type ContentFacts, ContentPass, type ContentToRead } from './content-pass.ts'

/** Reads an entry of an archive once. Returns a finding if the entry itself is damaged. */
export async function readEntry(
  { platform }: ExamineContext,
  archive: OpenArchive,
  index: number,
  takeParsing: ContentToRead['takeParsing'],
): Promise<ContentFacts | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') return dataAt
  const { name, sizeBytes } = entry
  const pass = new ContentPass({ name, sizeBytes, hash: false, takeParsing }, platform.host)
  let crc32 = 0
  try {
    for await (const bytes of entryContent(archive, entry, dataAt, platform)) {
      crc32 = platform.host.crc32(bytes, crc32)
      pass.push(bytes)
    }
  } catch (error) {
    return zipFinding(error)
  }
  return crc32 === entry.crc32 ? pass.end() : zipFinding(wrongCrc32())
}

export function wrongCrc32(): ZipProblem {
  return new ZipProblem('the CRC-32 is wrong')
}

/** Gives random access to the content of an entry that was read, from memory or from temporary storage. */
export async function withEntrySource(
  ctx: ExamineContext,
  archive: OpenArchive,
  index: number,
  { whole }: ContentFacts,
  use: (source: RandomAccess) => Promise<unknown>,
): Promise<void> {
  const entry = archive.entries[index] as ZipEntry
  if (whole !== undefined) {
    await use(memorySource(whole))
    return
  }
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') return
  if (entry.method === 0) {
    await use(sourceRange(archive.source, dataAt, entry.sizeBytes))
    return
  }
  const label = ctx.nextLabel()
  const stored = await ctx.platform.store(
    withPrefix(label, entryContent(archive, entry, dataAt, ctx.platform)),
  )
  try {
    await use(sourceRange(stored.source, label.length, entry.sizeBytes))
  } finally {
    await stored.discard()
  }
}

/** Object stores name content by its hash. The prefix makes sure that discarding it never deletes a supplied file. */
async function* withPrefix(
  prefix: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield prefix
  yield* content
}
