/** Pseudo-random choices that a seed reproduces. */
export interface SeededRandom {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number
  oneIn(count: number): boolean
  pick<T>(choices: readonly T[]): T
  bytes(length: number): Uint8Array
}

/** mulberry32. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return limit < 1 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return {
    below,
    oneIn: (count) => below(count) === 0,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}
