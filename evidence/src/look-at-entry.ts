import { type RandomAccess, type ZipEntry, ZipProblem } from '@kitseal/kit'
import { entryContent, findingOf, locate, type OpenArchive } from './archive.ts'
import type { Examination } from './examination.ts'
import { Look, type Seen } from './look.ts'
import type { Finding } from './rules.ts'
import { memorySource, partOf } from './surroundings.ts'

/** One pass over an entry; what is wrong with the entry itself comes back as a finding. */
export async function lookAtEntry(
  exam: Examination,
  archive: OpenArchive,
  index: number,
  parsedBytes: number,
): Promise<Seen | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') return dataAt
  const { sizeBytes, name } = entry
  const look = new Look({ path: name, sizeBytes, measured: false, parsedBytes }, exam.surroundings.host)
  let crc32 = 0
  try {
    for await (const bytes of entryContent(archive, entry, dataAt, exam.surroundings)) {
      crc32 = exam.surroundings.host.crc32(bytes, crc32)
      look.push(bytes)
    }
  } catch (error) {
    return findingOf(error)
  }
  if (crc32 !== entry.crc32) return findingOf(new ZipProblem('the CRC-32 is wrong'))
  return look.end()
}

/** Hands on the content of an entry that was looked at, so that it can be read by position. */
export async function withContent(
  exam: Examination,
  archive: OpenArchive,
  index: number,
  seen: Seen,
  use: (source: RandomAccess) => Promise<unknown>,
): Promise<void> {
  const entry = archive.entries[index] as ZipEntry
  if (seen.whole !== undefined) {
    await use(memorySource(seen.whole))
    return
  }
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') return
  if (entry.method === 0) {
    await use(partOf(archive.source, dataAt, entry.sizeBytes))
    return
  }
  const label = exam.nextLabel()
  const aside = await exam.surroundings.setAside(
    labelled(label, entryContent(archive, entry, dataAt, exam.surroundings)),
  )
  try {
    await use(partOf(aside.source, label.length, entry.sizeBytes))
  } finally {
    await aside.discard()
  }
}

/** What is set aside is named by its content and soon deleted: it must not be called what a supplied file is called. */
async function* labelled(label: Uint8Array, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield label
  yield* content
}
