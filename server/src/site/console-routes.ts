import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BOUNDARY, LONG_BOUNDARY, RECEIPT_VERSION } from '@kitseal/kit/internal'
import type { ConsoleServices } from './console-services.ts'
import { memberRoutes } from './member-routes.ts'
import { oidcRoutes } from './oidc-routes.ts'
import { serviceRoutes } from './service-routes.ts'
import { selfRoutes } from './self-routes.ts'
import { ANYONE, signInRoutes } from './sign-in-routes.ts'
import { rejectOtherSites } from '../access/console-place.ts'
import { addressGroup } from '../http/addresses.ts'
import { rateRefusal, TokenBuckets } from '../http/rate-limits.ts'
import { register, route } from '../http/route.ts'
import { returns } from './response-schemas.ts'

export const CONSOLE_API = '/console/api'

/** Sign-in, sessions and members: what only a browser does. Everything else the console does with the API. */
export function registerConsoleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  void app.register(
    async (scope) => {
      guard(scope, services)
      for (const routes of [publicRoutes, signInRoutes, oidcRoutes, selfRoutes, memberRoutes, serviceRoutes])
        register(scope, routes, services)
    },
    { prefix: CONSOLE_API },
  )
}

const SIGN_INS_PER_MINUTE = 30

/** What the routes of the console need besides a session: changes from its own pages only, no caches, few attempts to sign in. */
function guard(scope: FastifyInstance, services: ConsoleServices): void {
  const isWithinSignIns = limitSignIns(services)

  // The console API is not public.
  scope.addHook('onRoute', (each) => void (each.schema = { ...each.schema, hide: true }))

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
    const refusal = rateRefusal(buckets.take(addressGroup(request.ip)), 'sign-in attempts')
    if (refusal !== undefined) throw refusal
  }
}

const publicRoutes = [
  route('getServiceInfo', 'GET /public', {
    access: ANYONE,
    returns: returns('ServiceInfo'),
    async run({ config, signingKeys, place, issuer, profiles, oidc }: ConsoleServices) {
      return {
        issuer: issuer(),
        receipt_version: RECEIPT_VERSION,
        keys: (await signingKeys.list()).map(({ kid, state, created_at, retired_at, revoked_at }) => ({
          kid,
          status: state,
          since: created_at,
          until: revoked_at ?? retired_at,
        })),
        open_intake: config.openIntake,
        profiles: [...profiles.keys()].toSorted(),
        console: {
          url: place().url,
          passkeys: place().passkeyDomain !== undefined,
          oidc: oidc === undefined ? null : { name: oidc.name },
        },
        boundary: BOUNDARY,
        long_boundary: LONG_BOUNDARY,
      }
    },
  }),
]
