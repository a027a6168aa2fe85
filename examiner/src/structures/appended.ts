import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, chunks, viewOf } from '../platform/sources.ts'
import { type Finding, detailOf, type PlainDetail } from '../rules.ts'
import { BytesFinder } from '../search/find-bytes.ts'
import type { Covered } from './structure.ts'

const END_BYTES = 22
/** Programs search for the end record as far back as the longest comment reaches. */
const TAIL_BYTES = END_BYTES + 65_535
/** No legitimate file has more end records in so few bytes. */
const MAX_ENDS = 32

/** Archives that programs also find after other content. */
const ARCHIVES: readonly (readonly [what: PlainDetail, start: readonly number[]])[] = [
  ['detail.rarInside', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['detail.sevenZipInside', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
]

/**
 * Finds an archive in a file that is none: a ZIP at its end, where programs look for it, or, in media and PDF, another
 * anywhere. `covered`: what is examined already.
 */
export async function findAppended(
  source: RandomAccess,
  covered: readonly Covered[],
  isAnywhere: boolean,
): Promise<Finding | undefined> {
  if (await hasZipEnd(source, covered))
    return { code: 'appended_content', detail: detailOf('detail.opensAsZip') }
  if (!isAnywhere) return undefined
  const finders = ARCHIVES.map(([what, start]) => ({
    what,
    finder: new BytesFinder(Uint8Array.from(start), MAX_ENDS),
  }))
  for await (const bytes of chunks(source)) for (const { finder } of finders) finder.push(bytes)
  const found = finders.find(({ finder }) => finder.at.some((at) => at > 0 && !isCovered(at, covered)))
  return found && { code: 'appended_content', detail: detailOf(found.what) }
}

const isCovered = (at: number, covered: readonly Covered[]): boolean =>
  covered.some(({ from, to }) => at >= from && at < to)

async function hasZipEnd(source: RandomAccess, covered: readonly Covered[]): Promise<boolean> {
  const from = Math.max(0, source.sizeBytes - TAIL_BYTES)
  const tail = await bytesAt(source, from, TAIL_BYTES)
  let ends = 0
  for (let at = tail.lastIndexOf(0x50); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(0x50, at - 1)) {
    if (at + END_BYTES > tail.length || !isRecord(tail, at, 5, 6)) continue
    if (isCovered(from + at, covered)) continue
    if (++ends > MAX_ENDS || (await isEndOfArchive(source, tail, from, at))) return true
  }
  return false
}

/** Whether a directory starts where the record says, relative to the start of the file or to the record. */
async function isEndOfArchive(
  source: RandomAccess,
  tail: Uint8Array,
  from: number,
  at: number,
): Promise<boolean> {
  if (at >= 20 && isRecord(tail, at - 20, 6, 7)) return true
  const view = viewOf(tail.subarray(at))
  const [directoryBytes, offset] = [view.getUint32(12, true), view.getUint32(16, true)]
  for (const start of [from + at - directoryBytes, offset]) {
    if (isRecord(await bytesAt(source, start, 4), 0, 1, 2)) return true
  }
  return false
}

function isRecord(bytes: Uint8Array, at: number, third: number, fourth: number): boolean {
  return bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === third && bytes[at + 3] === fourth
}
