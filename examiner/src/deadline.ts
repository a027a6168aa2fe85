import type { RandomAccess } from '@kitseal/kit'

/** A check has this long, and a second more for each 5 MB. Checks read at a hundred times that speed. */
const BASE_MS = 60_000
const BYTES_PER_MS = 5000

/** An examiner needed too long for a file. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** Milliseconds from any fixed point. */
export type Now = () => number

export const timeFor = (sizeBytes: number): number => BASE_MS + sizeBytes / BYTES_PER_MS

/** A source that can be read for a limited time. */
export function readableInTime(source: RandomAccess, now: Now): RandomAccess {
  const end = now() + timeFor(source.sizeBytes)
  return {
    sizeBytes: source.sizeBytes,
    read(offset, length) {
      if (now() > end) throw new OutOfTime()
      return source.read(offset, length)
    },
  }
}
