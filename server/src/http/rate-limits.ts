import type { FastifyRequest } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import type { RateLimit } from '../settings/parse.ts'
import { Refusal } from '../refusals.ts'
import { addressGroup } from './addresses.ts'
import type { Rule } from './admission.ts'

type RateClass = 'intake' | 'verify' | 'link'

/** Requests by address under the tokens of links. A page makes a few requests, and previews one more each. */
export const LINKS_PER_MINUTE = 300

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which rate limit applies to this route. */
    readonly rate?: RateClass
  }
}

/** With a key, every request counts towards the workspace's limit. Without one, routes with a rate class are limited by address. */
export function isWithinRate(limit: RateLimit, clock: Clock): Rule {
  if (limit.is === 'off') return () => undefined
  const byPlan = new Map<number, TokenBuckets>()
  const buckets: Readonly<Record<RateClass, TokenBuckets>> = {
    intake: new TokenBuckets(limit.intakePerMinute, clock),
    verify: new TokenBuckets(limit.verifyPerMinute, clock),
    link: new TokenBuckets(LINKS_PER_MINUTE, clock),
  }
  const limitOf = ({ caller, ip, routeOptions }: FastifyRequest): Limit | undefined => {
    if (caller.is === 'workspace') {
      const own = bucketsOf(byPlan, caller.plan.ratePerMinute, clock)
      return { policy: 'workspace', buckets: own, who: caller.workspaceId }
    }
    const { rate } = routeOptions.config
    return rate === undefined ? undefined : { policy: rate, buckets: buckets[rate], who: addressGroup(ip) }
  }
  return (request, reply) => {
    const applied = limitOf(request)
    if (applied === undefined) return undefined
    const waitMs = applied.buckets.take(applied.who)
    reply.headers(rateFields(applied))
    return rateRefusal(waitMs, 'requests')
  }
}

/** Undefined if there is nothing to wait for. */
export function rateRefusal(waitMs: number, what: string): Refusal | undefined {
  if (waitMs === 0) return undefined
  const seconds = Math.ceil(waitMs / 1000)
  const headers = { 'retry-after': `${seconds}` }
  const args = { what, seconds }
  return new Refusal('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { args, headers })
}

interface Limit {
  readonly policy: 'workspace' | RateClass
  readonly buckets: TokenBuckets
  readonly who: string
}

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). `t` is `Retry-After` when nothing is left. */
function rateFields({ policy, buckets, who }: Limit): Readonly<Record<string, string>> {
  const { tokens, seconds } = buckets.left(who)
  return {
    'ratelimit-policy': `"${policy}";q=${buckets.perMinute};w=60`,
    ratelimit: `"${policy}";r=${tokens};t=${seconds}`,
  }
}

function bucketsOf(byRate: Map<number, TokenBuckets>, perMinute: number, clock: Clock): TokenBuckets {
  const known = byRate.get(perMinute)
  if (known !== undefined) return known
  const created = new TokenBuckets(perMinute, clock)
  byRate.set(perMinute, created)
  return created
}

interface Bucket {
  /** An integer, to avoid rounding: each millisecond adds the rate, each request costs TOKEN. */
  credit: number
  filledAt: number
}

const TOKEN = 60_000
const MAX_BUCKETS = 100_000

/** One token bucket per caller, with a capacity of one minute. The number of buckets is limited: full ones are dropped. */
export class TokenBuckets {
  readonly perMinute: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute
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
    bucket.credit = Math.min(this.perMinute * TOKEN, bucket.credit + elapsed * this.perMinute)
    bucket.filledAt = now
    if (bucket.credit < TOKEN) return Math.ceil((TOKEN - bucket.credit) / this.perMinute)
    bucket.credit -= TOKEN
    return 0
  }

  /** What is left after `take`: whole tokens, and the seconds until there is one, or until all are there again. */
  left(caller: string): { readonly tokens: number; readonly seconds: number } {
    const credit = this.#buckets.get(caller)?.credit ?? this.perMinute * TOKEN
    const tokens = Math.floor(credit / TOKEN)
    const missing = (tokens === 0 ? TOKEN : this.perMinute * TOKEN) - credit
    return { tokens, seconds: Math.ceil(missing / this.perMinute / 1000) }
  }

  #newBucket(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropBuckets(now)
    const bucket = { credit: this.perMinute * TOKEN, filledAt: now }
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
