import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rejectOtherSites } from '../access/same-site.ts'
import { addressGroup } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'

export const SIGN_INS_PER_MINUTE = 30

/** What the routes of the console need besides a session: changes from its own pages only, no caches, few attempts to sign in. */
export function guard(scope: FastifyInstance, services: ConsoleServices): void {
  const isWithinSignIns = limitSignIns(services)

  // The console API is not public.
  scope.addHook('onRoute', (route) => void (route.schema = { ...route.schema, hide: true }))

  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'cookie')
    rejectOtherSites(request, services.place())
    if (request.routeOptions.config.access?.role === 'anyone') isWithinSignIns(request)
  })

  // Another member may use the same browser.
  scope.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store')
    return payload
  })
}

function limitSignIns({ config, clock }: ConsoleServices): (request: FastifyRequest) => void {
  if (config.rateLimit.is === 'off') return () => undefined
  const buckets = new TokenBuckets(SIGN_INS_PER_MINUTE, clock)
  return (request) => {
    if (request.routeOptions.url?.endsWith('/public') === true) return
    const waitMs = buckets.take(addressGroup(request.ip))
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1000)
    throw new Refusal('rate_limited', `Too many sign-in attempts. Try again in ${seconds} s.`, {
      headers: { 'retry-after': `${seconds}` },
    })
  }
}
