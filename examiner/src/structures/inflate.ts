import { Inflate, Unzlib } from 'fflate'
import { joined } from '../platform/sources.ts'

export interface Inflated {
  readonly bytes: Uint8Array
  /** False if the data is damaged or cut off, or the limit was reached. */
  readonly isComplete: boolean
}

const STEP_BYTES = 8192

/** Inflates zlib or raw deflate data (RFC 1950, 1951) up to a limit, or as far as it can be read: readers show that. */
export function inflate(data: Uint8Array, limitBytes: number): Inflated {
  const parts: Uint8Array[] = []
  const state = { length: 0, isEnded: false }
  const take = (part: Uint8Array, isLast: boolean): void => {
    parts.push(part)
    state.length += part.length
    state.isEnded ||= isLast
  }
  const stream = isZlib(data) ? new Unzlib(take) : new Inflate(take)
  try {
    for (let at = 0; at < data.length && state.length < limitBytes && !state.isEnded; at += STEP_BYTES)
      stream.push(data.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= data.length)
  } catch {
    // What is before the damage counts.
  }
  const isComplete = state.isEnded && state.length <= limitBytes
  return { bytes: joined(...parts).subarray(0, limitBytes), isComplete }
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}
