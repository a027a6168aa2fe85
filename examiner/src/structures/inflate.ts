import { Inflate, Unzlib } from 'fflate'
import { copyOf } from '../platform/sources.ts'

export interface Inflated {
  readonly bytes: Uint8Array
  /** False if the data is damaged or cut off, or the limit was reached. */
  readonly isComplete: boolean
}

const STEP_BYTES = 128 * 1024
const SMALL_STEP_BYTES = 64

/** Inflates zlib or raw deflate data (RFC 1950, 1951) up to a limit, or as far as it can be read. */
export function inflate(data: Uint8Array, limitBytes: number): Inflated {
  const first = inflateSteps(data, limitBytes, data.length)
  // The step with the damage again, in small ones: readers show what is before it.
  return first.damagedAt === undefined ? first : inflateSteps(data, limitBytes, first.damagedAt)
}

function inflateSteps(
  data: Uint8Array,
  limitBytes: number,
  largeUpTo: number,
): Inflated & { readonly damagedAt?: number } {
  const parts: Uint8Array[] = []
  const state = { length: 0, isEnded: false }
  const take = (part: Uint8Array, isLast: boolean): void => {
    parts.push(copyOf(part))
    state.length += part.length
    state.isEnded ||= isLast
  }
  const stream = isZlib(data) ? new Unzlib(take) : new Inflate(take)
  let at = 0
  let damagedAt: number | undefined
  try {
    while (at < data.length && state.length < limitBytes && !state.isEnded) {
      const step =
        at + STEP_BYTES <= largeUpTo ? STEP_BYTES : largeUpTo < data.length ? SMALL_STEP_BYTES : STEP_BYTES
      stream.push(data.subarray(at, at + step), at + step >= data.length)
      at += step
    }
  } catch {
    if (largeUpTo === data.length) damagedAt = at
  }
  const bytes = new Uint8Array(Math.min(state.length, limitBytes))
  let to = 0
  for (const part of parts) {
    bytes.set(part.subarray(0, bytes.length - to), to)
    to += Math.min(part.length, bytes.length - to)
  }
  return {
    bytes,
    isComplete: state.isEnded && state.length <= limitBytes,
    ...(damagedAt === undefined ? {} : { damagedAt }),
  }
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}
