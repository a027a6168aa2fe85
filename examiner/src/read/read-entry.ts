import { type ZipEntry, ZipProblem } from '@kitseal/kit/internal'
import { locateContent, type OpenArchive, readContent, zipFinding } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import type { SuppliedFile } from '../plan/plan-files.ts'
import type { Finding } from '../rules.ts'
import { type ContentFacts, ContentPass, type ContentToRead } from './content-pass.ts'

export interface ReadEntry extends ContentFacts {
  /** The offset of its data in the archive. */
  readonly dataAt: number
}

interface EntryOptions
  extends Pick<ContentToRead, 'checksums' | 'takeRecognising'>, Pick<SuppliedFile, 'readAhead'> {}

/** Reads an entry of an archive once and yields its content. Returns a finding if the entry itself is damaged. */
export async function* readEntry(
  { platform }: ExamineContext,
  archive: OpenArchive,
  index: number,
  { readAhead, ...options }: EntryOptions,
): AsyncGenerator<Uint8Array, ReadEntry | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') return dataAt
  const { name, sizeBytes } = entry
  let facts = await readAhead?.(name)
  if (facts === undefined) {
    const pass = new ContentPass({ name, sizeBytes, ...options }, platform.host)
    try {
      for await (const bytes of readContent(archive, entry, dataAt, platform)) {
        pass.push(bytes)
        yield bytes
      }
    } catch (error) {
      return zipFinding(error)
    }
    facts = await pass.end()
  }
  return facts.crc32 === entry.crc32
    ? { ...facts, dataAt }
    : zipFinding(new ZipProblem('the CRC-32 is wrong'))
}

/** Reads an entry whose content is not needed. */
export async function drained<Result>(content: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await content.next()
    if (done === true) return value
  }
}

/** Object stores name content by its hash. The prefix makes sure that discarding it never deletes a supplied file. */
export async function* withPrefix(
  prefix: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield prefix
  yield* content
}
