const DAY_MS = 86_400_000
/** A longer pause than this many times the usual one is a gap. */
const TOLERANCE = 1.6
const MIN_GAP_DAYS = 2

/**
 * For each time, newest first: the number of days before it without another, if they are many. With fewer than three, nothing
 * is usual.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { gapsIn } from '@kitseal/kit'
 *
 * const times = ['2026-06-01', '2026-05-01', '2026-02-01', '2026-01-01']
 * assert.deepEqual(gapsIn(times), [undefined, 89, undefined, undefined])
 * ```
 */
export function gapsIn(times: readonly string[]): readonly (number | undefined)[] {
  const pauses = times
    .slice(0, -1)
    .map((time, index) => Date.parse(time) - Date.parse(times[index + 1] ?? time))
  if (pauses.length < 2) return times.map(() => undefined)
  const sorted = pauses.toSorted((a, b) => a - b)
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return times.map((_, index) => {
    const pause = pauses[index] ?? 0
    const days = Math.round(pause / DAY_MS)
    return days >= MIN_GAP_DAYS && pause > usual * TOLERANCE ? days : undefined
  })
}
