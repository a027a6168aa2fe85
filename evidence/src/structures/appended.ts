import type { RandomAccess } from '@kitseal/kit'
import { programIn } from '../programs.ts'
import type { Finding } from '../rules.ts'
import { bytesAt } from './structure.ts'

const END_BYTES = 22
/** Readers look for the end record as far back as the longest comment reaches. */
const TAIL_BYTES = END_BYTES + 65_535
/** More end records than an honest file ever has in so short a stretch. */
const MAX_ENDS = 32

/** Whether a program that reads archives from their end takes this file for one. */
export async function appendedArchive(source: RandomAccess): Promise<Finding | undefined> {
  const from = Math.max(0, source.sizeBytes - TAIL_BYTES)
  const tail = await bytesAt(source, from, TAIL_BYTES)
  let ends = 0
  for (let at = tail.lastIndexOf(0x50); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(0x50, at - 1)) {
    if (at + END_BYTES > tail.length || !isMark(tail, at, 5, 6)) continue
    if (++ends > MAX_ENDS || (await isEndOfArchive(source, tail, from, at))) {
      return { code: 'appended_content', seen: 'archive programs see a ZIP archive in it' }
    }
  }
  return undefined
}

/** With the first header of a directory where the record says, counted from the start or back from the record. */
async function isEndOfArchive(
  source: RandomAccess,
  tail: Uint8Array,
  from: number,
  at: number,
): Promise<boolean> {
  if (at >= 20 && isMark(tail, at - 20, 6, 7)) return true
  const view = new DataView(tail.buffer, tail.byteOffset + at, END_BYTES)
  const [directoryBytes, offset] = [view.getUint32(12, true), view.getUint32(16, true)]
  for (const place of [from + at - directoryBytes, offset]) {
    if (isMark(await bytesAt(source, place, 4), 0, 1, 2)) return true
  }
  return false
}

function isMark(bytes: Uint8Array, at: number, third: number, fourth: number): boolean {
  return bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === third && bytes[at + 3] === fourth
}

/** Archives that their programs look for behind something else. */
const ARCHIVES: readonly (readonly [what: string, start: readonly number[]])[] = [
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
]

/** What the bytes behind the end of a file are, where they are a program or an archive. Cameras leave other things there. */
export async function appendedAt(source: RandomAccess, end: number): Promise<readonly Finding[]> {
  const bytes = await bytesAt(source, end, 64)
  const archive = ARCHIVES.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0]
  const what = programIn(bytes) ?? archive
  return what === undefined ? [] : [{ code: 'appended_content', seen: `${what} follows its end` }]
}
