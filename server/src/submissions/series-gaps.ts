const DAY_MS = 86_400_000
/** A longer pause than this many times the usual one is a gap. */
const TOLERANCE = 1.6
const MIN_GAP_DAYS = 2

/**
 * For each time, newest first: the number of days before it without another, if they are many. With fewer than three, nothing
 * is usual.
 */
export function gapsIn(times: readonly string[]): readonly (number | undefined)[] {
  const pauses = pausesOf(times)
  const usual = usualOf(pauses)
  if (usual === undefined) return times.map(() => undefined)
  return times.map((_, index) => {
    const pause = pauses[index] ?? 0
    const days = Math.round(pause / DAY_MS)
    return days >= MIN_GAP_DAYS && pause > usual * TOLERANCE ? days : undefined
  })
}

/** When the next one is due, if they come as often as usual. Undefined if nothing is usual. */
export function nextAfter(times: readonly string[]): string | undefined {
  const usual = usualOf(pausesOf(times))
  const isRegular = usual !== undefined && usual >= MIN_GAP_DAYS * DAY_MS
  return isRegular ? new Date(Date.parse(times[0] ?? '') + usual).toISOString() : undefined
}

const pausesOf = (times: readonly string[]): readonly number[] =>
  times.slice(0, -1).map((time, index) => Date.parse(time) - Date.parse(times[index + 1] ?? time))

/** The median. */
function usualOf(pauses: readonly number[]): number | undefined {
  if (pauses.length < 2) return undefined
  return pauses.toSorted((a, b) => a - b)[Math.floor((pauses.length - 1) / 2)]
}
