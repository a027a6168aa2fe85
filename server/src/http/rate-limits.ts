import type { FastifyRequest } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import type { RateLimit } from '../settings/parse.ts'
import { Refusal } from '../refusals.ts'
import { addressGroup } from './address-group.ts'
import type { Rule } from './admission.ts'
import { TokenBuckets } from './token-buckets.ts'

export type RateClass = 'intake' | 'verify' | 'link'

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
  return new Refusal('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { headers })
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
