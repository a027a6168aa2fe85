import type { Clock } from '../clock.ts'
import type { RateLimit } from '../config.ts'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'
import { TokenBuckets } from './token-buckets.ts'

export type RateClass = 'intake' | 'verify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which of the limits counts a request of this route. */
    readonly rate?: RateClass
  }
}

/** A route that names a rate class is limited per caller: by workspace where a key is sent, else by address. */
export function isWithinRate(limit: RateLimit, clock: Clock): Rule {
  if (limit.is === 'off') return () => undefined
  const buckets: Readonly<Record<RateClass, TokenBuckets>> = {
    intake: new TokenBuckets(limit.intakePerMinute, clock),
    verify: new TokenBuckets(limit.verifyPerMinute, clock),
  }
  return (request) => {
    const rate = request.routeOptions.config.rate
    if (rate === undefined) return undefined
    const caller = request.caller.is === 'workspace' ? request.caller.workspaceId : addressGroup(request.ip)
    const waitMs = buckets[rate].take(caller)
    if (waitMs === 0) return undefined
    const seconds = Math.ceil(waitMs / 1000)
    const headers = { 'retry-after': `${seconds}` }
    return new Refusal('rate_limited', `Too many requests. Try again in ${seconds} s.`, { headers })
  }
}

/** One subscriber has a whole /64 of IPv6 addresses: they count as one. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
