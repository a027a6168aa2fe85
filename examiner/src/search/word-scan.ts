/** A value for each pair of neighbouring bytes, by the number that they are in little-endian order. */
export type PairTable = Uint8Array

/** Makes a table from the value of a pair. */
export function pairTable(valueOf: (first: number, second: number) => number): PairTable {
  const table = new Uint8Array(65_536)
  for (let pair = 0; pair < 65_536; pair++) table[pair] = valueOf(pair & 255, pair >> 8)
  return table
}

/** Sixteen bytes are looked at in one step. */
export const BLOCK_BYTES = 16

/** The bytes as words of four. `start` is the index of the first one. */
export interface Words {
  readonly words: Int32Array
  readonly start: number
}

export function wordsIn(bytes: Uint8Array): Words {
  const start = Math.min(bytes.length, -bytes.byteOffset & 3)
  const count = (bytes.length - start) >> 2
  return { words: new Int32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset + start, count), start }
}

/** The first index at or after `from` where a block can start. */
export const blockAt = ({ start }: Words, from: number): number =>
  from <= start ? start : from + (-(from - start) & 3)

/** The sum of the values of the eight pairs in the block at `index`, which is counted in words. */
export function blockSum(words: Int32Array, index: number, table: PairTable): number {
  const a = words[index] as number
  const b = words[index + 1] as number
  const c = words[index + 2] as number
  const d = words[index + 3] as number
  return (
    (table[a & 65_535] as number) +
    (table[a >>> 16] as number) +
    (table[b & 65_535] as number) +
    (table[b >>> 16] as number) +
    (table[c & 65_535] as number) +
    (table[c >>> 16] as number) +
    (table[d & 65_535] as number) +
    (table[d >>> 16] as number)
  )
}

const NEWLINE = 10
const NEWLINES = pairTable((first, second) => Number(first === NEWLINE) + Number(second === NEWLINE))

/** How many line breaks there are from `from` up to `to`. */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0
  let at = from
  if (to - from > 4 * BLOCK_BYTES) {
    const all = wordsIn(bytes)
    const { words, start } = all
    const begin = blockAt(all, from)
    for (; at < begin; at++) if (bytes[at] === NEWLINE) lines++
    const end = (to - start - BLOCK_BYTES) >> 2
    let index = (begin - start) >> 2
    for (; index <= end; index += 4) lines += blockSum(words, index, NEWLINES)
    at = start + index * 4
  }
  for (; at < to; at++) if (bytes[at] === NEWLINE) lines++
  return lines
}
