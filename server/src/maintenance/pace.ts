export interface PaceOptions {
  readonly most: number
  /** Where to start; 1 unless told. */
  readonly first?: number
  readonly now?: () => number
}

/** An object of this size takes about twice as long as an empty one. */
const UNIT_BYTES = 256 * 1024
const SMALLEST_ROUND = 4
/** More at once is worth it only if it brings this much. */
const GAIN = 1.05
const LOSS = 0.7
/** One round without a gain may be chance. */
const MISSES = 2
const ROUNDS_BETWEEN_PROBES = 6

/** How many operations run at once. It grows while throughput grows, and shrinks when the store asks to slow down. */
export type Pace = ReturnType<typeof adaptivePace>

/**
 * Doubles while that helps, as TCP does. Then it tries half as many more from time to time. After an overload it grows by
 * one at a time.
 */
export function adaptivePace({ most, first = 1, now = () => performance.now() }: PaceOptions) {
  let limit = Math.min(first, most)
  let best = { limit, rate: 0 }
  let mode: 'doubling' | 'adding' | 'steady' = 'doubling'
  let misses = 0
  let steadyRounds = 0
  let round = newRound()

  function newRound() {
    return { startedAt: now(), ended: 0, units: 0, wasSlowed: false }
  }

  function endRound(): void {
    const rate = round.units / Math.max(now() - round.startedAt, 0.001)
    if (mode === 'steady') keepSteady(rate)
    else if (rate > best.rate * GAIN || mode === 'adding') grow(rate)
    else if ((misses += 1) < MISSES) limit = Math.min(most, limit * 2)
    else [limit, mode] = [best.limit, 'steady']
    round = newRound()
  }

  function grow(rate: number): void {
    ;[best, misses] = [{ limit, rate }, 0]
    limit = Math.min(most, mode === 'doubling' ? limit * 2 : limit + 1)
    if (limit === best.limit) mode = 'steady'
  }

  function keepSteady(rate: number): void {
    const isProbe = limit > best.limit
    if (isProbe && rate < best.rate * GAIN) limit = best.limit
    else if (isProbe) best = { limit, rate }
    else if (rate < best.rate * LOSS) {
      limit = Math.max(1, Math.ceil(limit * 0.75))
      best = { limit, rate }
    } else if ((steadyRounds += 1) % ROUNDS_BETWEEN_PROBES === 0) {
      best = { limit, rate }
      limit = Math.min(most, limit + Math.ceil(limit / 2))
    }
  }

  return {
    limit: (): number => limit,
    /** An operation ended. `sizeBytes` is what it read or wrote. */
    done(sizeBytes: number): void {
      round.ended += 1
      round.units += 1 + sizeBytes / UNIT_BYTES
      if (round.ended >= Math.max(SMALLEST_ROUND, 3 * limit)) endRound()
    },
    /** The store is overloaded or timed out. */
    slowDown(): void {
      // Operations that began together fail together.
      if (round.wasSlowed) return
      limit = Math.max(1, Math.floor(limit / 2))
      ;[best, mode] = [{ limit, rate: 0 }, 'adding']
      round = { ...newRound(), wasSlowed: true }
    },
  }
}
