import type { RandomAccess } from '@kitseal/kit'
import { programIn } from '../detect/programs.ts'
import { bytesAt, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type Covered, SOUND, type Structure } from './structure.ts'

const END_BYTES = 22
/** Programs search for the end record as far back as the longest comment reaches. */
const TAIL_BYTES = END_BYTES + 65_535
/** No legitimate file has more end records in so few bytes. */
const MAX_ENDS = 32

/** Finds a ZIP archive at the end of a file. Archive programs read from the end. `covered`: what is examined already. */
export async function findAppendedArchive(
  source: RandomAccess,
  covered: readonly Covered[] = [],
): Promise<Finding | undefined> {
  const from = Math.max(0, source.sizeBytes - TAIL_BYTES)
  const tail = await bytesAt(source, from, TAIL_BYTES)
  let ends = 0
  for (let at = tail.lastIndexOf(0x50); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(0x50, at - 1)) {
    if (at + END_BYTES > tail.length || !isRecord(tail, at, 5, 6)) continue
    if (covered.some(({ from: start, to }) => from + at >= start && from + at < to)) continue
    if (++ends > MAX_ENDS || (await isEndOfArchive(source, tail, from, at))) {
      return { code: 'appended_content', detail: 'archive programs open it as a ZIP archive' }
    }
  }
  return undefined
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

/** Archives that programs also find after other content. */
const ARCHIVES: readonly (readonly [title: string, start: readonly number[]])[] = [
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
]

/** Finds a program or an archive after the end of a file. Other data there is common: cameras write it. */
export async function checkAppended(source: RandomAccess, end: number): Promise<readonly Finding[]> {
  const bytes = await bytesAt(source, end, 64)
  const archive = ARCHIVES.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0]
  const title = programIn(bytes) ?? archive
  return title === undefined ? [] : [{ code: 'appended_content', detail: `${title} follows its end` }]
}

/** An image that is whole and ends here. What follows is searched. */
export async function endsAt(source: RandomAccess, end: number): Promise<Structure> {
  const after = source.sizeBytes - end
  if (after === 0) return SOUND
  return { findings: await checkAppended(source, end), notes: [`${after} bytes follow the end of the image`] }
}
