import type { Surroundings } from '../src/index.ts'

export interface TestSurroundings extends Surroundings {
  /** How long it was waited, each time. */
  readonly waits: readonly number[]
}

/** A clock that moves only when somebody waits, and randomness that is known. */
export function testSurroundings(random = 0.5): TestSurroundings {
  let now = Date.parse('2026-03-04T05:06:07Z')
  let drawn = 0
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    random: () => random,
    randomBytes: (length) => new Uint8Array(length).fill(++drawn),
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      now += ms
    },
  }
}
