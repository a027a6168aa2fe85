import { copyOf } from '../platform/sources.ts'

/** Searches a stream for a byte sequence. */
export class BytesFinder {
  readonly #needle: Uint8Array
  readonly #steps: Uint8Array
  readonly #maxMatches: number
  #carried: Uint8Array = new Uint8Array(0)
  #readBytes = 0
  /** The offsets of the matches. */
  readonly at: number[] = []

  constructor(needle: Uint8Array, maxMatches = 1) {
    this.#needle = needle
    this.#steps = stepsOf(needle)
    this.#maxMatches = maxMatches
  }

  get found(): boolean {
    return this.at.length > 0
  }

  /** `isLast` avoids copying bytes that no later chunk needs. */
  push(bytes: Uint8Array, isLast = false): void {
    if (this.at.length >= this.#maxMatches) return
    const overlap = this.#needle.length - 1
    const before = this.#readBytes
    this.#readBytes += bytes.length
    if (this.#carried.length > 0) {
      // A match may span two chunks.
      const border = new Uint8Array(this.#carried.length + Math.min(overlap, bytes.length))
      border.set(this.#carried)
      border.set(bytes.subarray(0, overlap), this.#carried.length)
      this.#collect(border, before - this.#carried.length)
      if (bytes.length < overlap) {
        this.#carried = copyOf(border.subarray(-overlap))
        return
      }
    }
    this.#collect(bytes, before)
    if (!isLast) this.#carried = copyOf(bytes.subarray(-overlap))
  }

  #collect(bytes: Uint8Array, offset: number): void {
    for (let from = 0; this.at.length < this.#maxMatches;) {
      const found = findBytes(bytes, this.#needle, from, this.#steps)
      if (found === -1) return
      this.at.push(offset + found)
      from = found + 1
    }
  }
}

/** The index of the first match at or after `from`, or -1. `steps`: those of the needle, if they are at hand. */
export function findBytes(
  bytes: Uint8Array,
  needle: Uint8Array,
  from = 0,
  steps: Uint8Array = stepsOf(needle),
): number {
  const last = needle.length - 1
  const end = bytes.length
  for (let at = from + last; at < end; at += steps[bytes[at] as number] as number) {
    let index = last
    while (index >= 0 && bytes[at - last + index] === needle[index]) index--
    if (index < 0) return at - last
  }
  return -1
}

/** How far a search may go on after each byte (Horspool): most bytes are not in the needle. */
function stepsOf(needle: Uint8Array): Uint8Array {
  const length = Math.min(255, needle.length)
  const steps = new Uint8Array(256).fill(length)
  for (let index = needle.length - length; index < needle.length - 1; index++) {
    steps[needle[index] as number] = needle.length - 1 - index
  }
  return steps
}

/** The EICAR test string, split so that virus scanners do not flag this file. */
export function eicarString(encoding: 'utf-8' | 'utf-16le' | 'utf-16be' = 'utf-8'): Uint8Array {
  const text = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
  const bytes = new TextEncoder().encode(text)
  if (encoding === 'utf-8') return bytes
  const wide = new Uint8Array(bytes.length * 2)
  for (const [index, byte] of bytes.entries()) wide[index * 2 + (encoding === 'utf-16le' ? 0 : 1)] = byte
  return wide
}
