/** Time is handed in, so that a test of expiry sets the clock and never sleeps. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** RFC 3339, UTC, milliseconds, `Z`: fixed width, so that text order is time order. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
