import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BOUNDARY, LONG_BOUNDARY, RECEIPT_VERSION } from '@kitseal/kit/internal'
import type { ConsoleServices } from './console-services.ts'
import { registerMemberRoutes } from './member-routes.ts'
import { registerOidcRoutes } from './oidc-routes.ts'
import { registerServiceRoutes } from './service-routes.ts'
import { registerServiceWorkspaceRoutes } from './service-workspace-routes.ts'
import { registerSelfRoutes } from './self-routes.ts'
import { registerSignInRoutes, registerSwitchRoutes } from './sign-in-routes.ts'
import { rejectOtherSites } from '../access/console-place.ts'
import { addressGroup } from '../http/addresses.ts'
import { rateRefusal, TokenBuckets } from '../http/rate-limits.ts'
import type { SigningKeyRow } from '../keys/signing-key-queries.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

export const CONSOLE_API = '/console/api'

/** Sign-in, sessions and members: what only a browser does. Everything else the console does with the API. */
export function registerConsoleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  void app.register(
    async (scope) => {
      scope.addHook('onClose', () => services.sessionUse.stop())
      guard(scope, services)
      registerPublicRoutes(scope, services)
      registerSignInRoutes(scope, services)
      registerOidcRoutes(scope, services)
      registerSelfRoutes(scope, services)
      registerSwitchRoutes(scope, services)
      registerMemberRoutes(scope, services)
      registerServiceRoutes(scope, services)
      registerServiceWorkspaceRoutes(scope, services)
    },
    { prefix: CONSOLE_API },
  )
}

const SIGN_INS_PER_MINUTE = 30

/** What the routes of the console need besides a session: changes from its own pages only, no caches, few attempts to sign in. */
function guard(scope: FastifyInstance, services: ConsoleServices): void {
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
    const refusal = rateRefusal(buckets.take(addressGroup(request.ip)), 'sign-in attempts')
    if (refusal !== undefined) throw refusal
  }
}

/** Public information about the service and its signing keys. */
function registerPublicRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { config, signingKeys, place } = services

  scope.get(
    '/public',
    { schema: returns('ServiceInfo') },
    async (): Promise<ConsoleResponse<'ServiceInfo'>> => ({
      issuer: services.issuer(),
      receipt_version: RECEIPT_VERSION,
      keys: (await signingKeys.list()).map(publicKey),
      open_intake: config.openIntake,
      profiles: [...services.profiles.keys()].toSorted(),
      console: {
        url: place().url,
        passkeys: place().passkeyDomain !== undefined,
        oidc: services.oidc === undefined ? null : { name: services.oidc.name },
      },
      boundary: BOUNDARY,
      long_boundary: LONG_BOUNDARY,
    }),
  )
}

const publicKey = ({ kid, state, created_at, retired_at, revoked_at }: SigningKeyRow) => ({
  kid,
  status: state,
  since: created_at,
  until: revoked_at ?? retired_at,
})
