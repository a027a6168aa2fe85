import { type PlainDetail } from '../rules.ts'
import { BLOCK_BYTES, blockSum, pairTable, wordsIn } from './word-scan.ts'
import { copyOf, joined, viewOf } from '../platform/sources.ts'

/** Where a program starts in a file, and what it is. */
export interface FoundProgram {
  readonly at: number
  /** What is found. */
  readonly what: PlainDetail
}

/** As much as a header needs. */
const HEADER_BYTES = 64
/** A Windows program says where its second header is. Real ones have it in the first pages. */
const MAX_PE_OFFSET = 16 * 1024 * 1024
const MAX_PENDING = 10_000
/** The first bytes of the headers. */
const FIRST = new Uint8Array(256)
for (const byte of [0x4d, 0x7f, 0xca, 0xce, 0xcf, 0xfe]) FIRST[byte] = 1
/** Pairs of bytes in the first four of a header, one of which is seen wherever it starts. */
const PAIRS = new Set([0x4d5a, 0x7f45, 0x454c, 0xfeed, 0xedfa, 0xcefa, 0xfaed, 0xcffa, 0xcafe, 0xfeba])
const IN_HEADER = pairTable((first, second) => (PAIRS.has((first << 8) | second) || first === 0x5a ? 1 : 0))

/**
 * Finds programs at any offset of a stream by headers that hold: MZ with its PE, ELF, and Mach-O. Looks at each byte a fixed
 * number of times.
 */
export class ProgramSearch {
  found: FoundProgram | undefined
  #carried: Uint8Array = new Uint8Array(0)
  #readBytes = 0
  /** Where `PE` must be, for each `MZ` that was read. */
  #pending: { readonly at: number; readonly pe: number }[] = []
  /** Whether some candidates were dropped. */
  isIncomplete = false

  push(bytes: Uint8Array): void {
    if (this.found !== undefined || bytes.length === 0) return
    const carriedBytes = this.#carried.length
    this.#readBytes += bytes.length
    if (carriedBytes > 0 && bytes.length < 4 * HEADER_BYTES) {
      const all = joined([this.#carried, bytes])
      this.#search(all, this.#readBytes - all.length, Math.max(0, all.length - HEADER_BYTES))
      this.#carried = copyOf(all.subarray(Math.max(0, all.length - HEADER_BYTES)))
      return
    }
    const offset = this.#readBytes - bytes.length
    if (carriedBytes > 0) {
      const border = joined([this.#carried, bytes.subarray(0, 2 * HEADER_BYTES)])
      this.#search(border, offset - carriedBytes, carriedBytes)
    }
    this.#search(bytes, offset, Math.max(0, bytes.length - HEADER_BYTES))
    this.#carried = copyOf(bytes.subarray(Math.max(0, bytes.length - HEADER_BYTES)))
  }

  end(): FoundProgram | undefined {
    if (this.found === undefined && this.#carried.length > 0) {
      const { length } = this.#carried
      this.#search(joined([this.#carried, new Uint8Array(HEADER_BYTES)]), this.#readBytes - length, length)
    }
    return this.found
  }

  /** Looks for headers that start before `to`. `offset` is that of the bytes in the file. */
  #search(bytes: Uint8Array, offset: number, to: number): void {
    this.#checkPending(bytes, offset)
    // Every header has a byte that is zero.
    if (!bytes.includes(0)) return
    const { words, start } = wordsIn(bytes)
    const last = words.length - 4
    this.#checkBytes(bytes, offset, 0, Math.min(to, start))
    let index = 0
    for (; index <= last; index += 4) {
      if (blockSum(words, index, IN_HEADER) === 0) continue
      const from = start + index * 4
      if (from > to) return
      this.#checkBytes(bytes, offset, Math.max(0, from - 2), Math.min(to, from + BLOCK_BYTES))
    }
    this.#checkBytes(bytes, offset, Math.max(0, start + index * 4 - 2), to)
  }

  #checkBytes(bytes: Uint8Array, offset: number, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const first = bytes[at] as number
      if (FIRST[first] === 0) continue
      if (first === 0x4d) {
        if (bytes[at + 1] === 0x5a) this.#takeMz(bytes, offset, at)
        continue
      }
      const head = bytes.subarray(at, at + HEADER_BYTES)
      if (first === 0x7f) {
        if (isElf(head)) this.#take(offset + at, 'detail.linuxProgram')
      } else if (isMachO(head)) this.#take(offset + at, 'detail.macProgram')
    }
  }

  #take(at: number, what: PlainDetail): void {
    if (this.found === undefined || at < this.found.at) this.found = { at, what }
  }

  #takeMz(bytes: Uint8Array, offset: number, at: number): void {
    if (at + HEADER_BYTES > bytes.length) return
    const relative = viewOf(bytes).getUint32(at + 60, true)
    if (relative < 4 || relative > MAX_PE_OFFSET) return
    const [start, pe] = [offset + at, offset + at + relative]
    if (pe - offset + 6 <= bytes.length) {
      if (isPe(bytes, pe - offset)) this.#take(start, 'detail.windowsProgram')
    } else if (this.#pending.length < MAX_PENDING) this.#pending.push({ at: start, pe })
    else this.isIncomplete = true
  }

  #checkPending(bytes: Uint8Array, offset: number): void {
    if (this.#pending.length === 0) return
    const end = offset + bytes.length
    this.#pending = this.#pending.filter(({ at, pe }) => {
      if (pe < offset || pe + 6 > end) return pe + 6 > end
      if (isPe(bytes, pe - offset)) this.#take(at, 'detail.windowsProgram')
      return false
    })
  }
}

/** The first program in bytes that are at hand. */
export function programInside(bytes: Uint8Array): FoundProgram | undefined {
  const search = new ProgramSearch()
  search.push(bytes)
  return search.end()
}

const MACHINES = new Set([
  0x14c, 0x8664, 0xaa64, 0x1c0, 0x1c4, 0x1c2, 0x200, 0xebc, 0x166, 0x169, 0x184, 0x1f0, 0x1f1, 0x5032, 0x5064,
  0x6232, 0x6264, 0xa641, 0xa64e,
])

function isPe(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x45 || bytes[at + 2] !== 0 || bytes[at + 3] !== 0) return false
  return MACHINES.has((bytes[at + 4] ?? 0) | ((bytes[at + 5] ?? 0) << 8))
}

function isElf(head: Uint8Array): boolean {
  if (head.length < 24 || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) return false
  const [width = 0, order = 0, version] = head.subarray(4)
  if (width < 1 || width > 2 || order < 1 || order > 2 || version !== 1) return false
  const view = viewOf(head)
  const type = view.getUint16(16, order === 1)
  return type >= 1 && type <= 4 && view.getUint32(20, order === 1) === 1
}

const CPUS = new Set([7, 12, 18, 0x0100_0007, 0x0100_000c, 0x0200_000c, 0x0100_0012])

function isMachO(head: Uint8Array): boolean {
  if (head.length < 28) return false
  const view = viewOf(head)
  const magic = view.getUint32(0)
  if (magic === 0xcafebabe || magic === 0xcafebabf) {
    const count = view.getUint32(4)
    return count > 0 && count < 20 && CPUS.has(view.getUint32(8))
  }
  const isLittle = magic === 0xcefaedfe || magic === 0xcffaedfe
  if (!isLittle && magic !== 0xfeedface && magic !== 0xfeedfacf) return false
  const type = view.getUint32(12, isLittle)
  const commands = view.getUint32(16, isLittle)
  return CPUS.has(view.getUint32(4, isLittle)) && type >= 1 && type <= 12 && commands > 0 && commands < 10_000
}
