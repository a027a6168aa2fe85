/** A clock that stands still until a test moves it. */
export interface TestClock {
  now(): number
  advance(by: { readonly days?: number; readonly hours?: number; readonly minutes?: number }): void
  set(time: string): void
}

const MINUTE_MS = 60_000

/** Starts now: certificates, browsers and other programs have clocks of their own. */
export function testClock(start = new Date().toISOString()): TestClock {
  let time = Date.parse(start)
  return {
    now: () => time,
    advance: ({ days = 0, hours = 0, minutes = 0 }) => {
      time += ((days * 24 + hours) * 60 + minutes) * MINUTE_MS
    },
    set: (text) => {
      time = Date.parse(text)
    },
  }
}
