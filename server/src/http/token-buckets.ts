import type { Clock } from '../clock.ts'

interface Bucket {
  tokens: number
  filledAt: number
}

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

  /** 0 where a token was taken; else how many milliseconds until there is one. */
  take(caller: string): number {
    const now = this.#clock.now()
    const bucket = this.#buckets.get(caller) ?? this.#newBucket(caller, now)
    const elapsed = Math.max(0, now - bucket.filledAt)
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + (elapsed * this.#perMinute) / 60_000)
    bucket.filledAt = now
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 60_000) / this.#perMinute)
    bucket.tokens -= 1
    return 0
  }

  #newBucket(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MOST_BUCKETS) this.#forget(now)
    const bucket = { tokens: this.#perMinute, filledAt: now }
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
