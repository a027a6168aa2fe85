import type { Clock } from '../clock.ts'

interface Bucket {
  /** In whole numbers, so that nothing is lost by rounding: a millisecond adds the rate, a request costs TOKEN. */
  credit: number
  filledAt: number
}

const TOKEN = 60_000
const MOST_BUCKETS = 100_000

/** One bucket per caller: a minute's worth at most, refilled evenly. Memory is bounded: full buckets are forgotten. */
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

  /** 0 where a token was taken; else how many milliseconds until there is one. */
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

  #newBucket(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MOST_BUCKETS) this.#forget(now)
    const bucket = { credit: this.#perMinute * TOKEN, filledAt: now }
    this.#buckets.set(caller, bucket)
    return bucket
  }

  /** After a minute of silence a bucket is full, and a full bucket says nothing. Where all are busy, the oldest go. */
  #forget(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (now - bucket.filledAt >= 60_000) this.#buckets.delete(caller)
    }
    for (const caller of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST_BUCKETS / 2) break
      this.#buckets.delete(caller)
    }
  }
}
