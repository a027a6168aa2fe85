import type { Platform } from '../src/index.ts'

export interface TestPlatform extends Platform {
  /** Every wait so far, in milliseconds. */
  readonly waits: readonly number[]
}

/** A clock that only moves in `wait`, and fixed randomness. */
export function testPlatform(random = 0.5): TestPlatform {
  let now = Date.parse('2026-03-04T05:06:07Z')
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    random: () => random,
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      now += ms
    },
  }
}
