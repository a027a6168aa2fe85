import type { Clock } from '../runtime/clock.ts'

interface Bucket {
  /** An integer, to avoid rounding: each millisecond adds the rate, each request costs TOKEN. */
  credit: number
  filledAt: number
}

const TOKEN = 60_000
const MAX_BUCKETS = 100_000

/** One token bucket per caller, with a capacity of one minute. The number of buckets is limited: full ones are dropped. */
export class TokenBuckets {
  readonly #perMinute: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes a token and returns 0, or returns the milliseconds until one is available. */
  take(caller: string): number {
    const now = this.#clock.now()
    const bucket = this.#buckets.get(caller) ?? this.#newBucket(caller, now)
    const elapsed = Math.max(0, now - bucket.filledAt)
    bucket.credit = Math.min(this.#perMinute * TOKEN, bucket.credit + elapsed * this.#perMinute)
    bucket.filledAt = now
    if (bucket.credit < TOKEN) return Math.ceil((TOKEN - bucket.credit) / this.#perMinute)
    bucket.credit -= TOKEN
    return 0
  }

  /** What is left after `take`: whole tokens, and the seconds until there is one, or until all are there again. */
  left(caller: string): { readonly tokens: number; readonly seconds: number } {
    const credit = this.#buckets.get(caller)?.credit ?? this.#perMinute * TOKEN
    const tokens = Math.floor(credit / TOKEN)
    const missing = (tokens === 0 ? TOKEN : this.#perMinute * TOKEN) - credit
    return { tokens, seconds: Math.ceil(missing / this.#perMinute / 1000) }
  }

  get perMinute(): number {
    return this.#perMinute
  }

  #newBucket(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropBuckets(now)
    const bucket = { credit: this.#perMinute * TOKEN, filledAt: now }
    this.#buckets.set(caller, bucket)
    return bucket
  }

  /** Drops buckets that are full after a minute without requests, then the oldest. */
  #dropBuckets(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (now - bucket.filledAt >= 60_000) this.#buckets.delete(caller)
    }
    for (const caller of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_BUCKETS / 2) break
      this.#buckets.delete(caller)
    }
  }
}
