// docs/decisions/0423
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { Rule } from '../http/admission.ts'
import type { Caller } from '../http/caller.ts'
import type { Scope } from '../http/scopes.ts'

/** `none`: works without an API key, and with any. */
export type RouteScope = Scope | 'none'

/** The scope of every route under /v1. A route without a row prevents the service from starting. */
export const ROUTE_SCOPES: Readonly<Record<string, RouteScope>> = {
  'POST /v1/intake/jobs': 'submit',
  'GET /v1/intake/jobs/:job_id': 'read',
  'GET /v1/kits/:kit_id/manifest': 'read',
  'GET /v1/kits/:kit_id/receipt': 'read',
  'GET /v1/kits/:kit_id/log-proof': 'read',
  'GET /v1/kits/:kit_id/erasure': 'read',
  'GET /v1/kits/:kit_id/download': 'read',
  'POST /v1/verify/receipt': 'none',
  'POST /v1/verify/kit': 'none',

  'POST /v1/submissions': 'submit',
  'GET /v1/submissions': 'read',
  'GET /v1/submissions/:submission_id': 'read',
  'PATCH /v1/submissions/:submission_id': 'submit',
  'DELETE /v1/submissions/:submission_id': 'admin',
  'GET /v1/submissions/:submission_id/deliverables': 'read',
  'GET /v1/submissions/:submission_id/deliverables/*': 'read',
  'GET /v1/submissions/:submission_id/deliverables/reports/:report': 'read',
  'POST /v1/submissions/:submission_id/evidence': 'submit',
  'OPTIONS /v1/submissions/:submission_id/uploads': 'submit',
  'GET /v1/submissions/:submission_id/uploads': 'submit',
  'POST /v1/submissions/:submission_id/uploads': 'submit',
  'GET /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'PATCH /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'POST /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'DELETE /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'POST /v1/submissions/:submission_id/reissue': 'admin',
  'PUT /v1/submissions/:submission_id/hold': 'admin',
  'DELETE /v1/submissions/:submission_id/hold': 'admin',

  'GET /v1/series': 'read',
  'GET /v1/series/:series': 'read',
  'GET /v1/compare': 'read',

  'GET /v1/profiles': 'read',
  'GET /v1/profiles/:profile': 'read',
  'POST /v1/profiles': 'admin',
  'PUT /v1/profiles/:profile': 'admin',
  'DELETE /v1/profiles/:profile': 'admin',

  'POST /v1/shares': 'shares',
  'GET /v1/shares': 'read',
  'GET /v1/shares/:share_id': 'read',
  'GET /v1/shares/:share_id/accesses': 'read',
  'DELETE /v1/shares/:share_id': 'shares',

  'POST /v1/requests': 'requests',
  'GET /v1/requests': 'read',
  'GET /v1/requests/:request_id': 'read',
  'PATCH /v1/requests/:request_id': 'requests',
  'POST /v1/requests/:request_id/copy': 'requests',
  'POST /v1/requests/:request_id/links': 'requests',
  'DELETE /v1/requests/:request_id/links': 'requests',
  'POST /v1/requests/:request_id/remind': 'requests',
  'POST /v1/requests/:request_id/items/:item_id': 'requests',
  'POST /v1/requests/:request_id/accept': 'requests',
  'POST /v1/requests/:request_id/close': 'requests',

  'GET /v1/credits': 'read',
  'GET /v1/trust': 'read',
  'PUT /v1/trust': 'admin',
  'GET /v1/audit': 'read',
  'GET /v1/audit/head': 'read',
  'GET /v1/audit/export': 'read',

  'GET /v1/events': 'read',
  'GET /v1/events/stream': 'read',

  'POST /v1/webhooks': 'admin',
  'GET /v1/webhooks': 'admin',
  'GET /v1/webhooks/:webhook_id': 'admin',
  'PATCH /v1/webhooks/:webhook_id': 'admin',
  'DELETE /v1/webhooks/:webhook_id': 'admin',
  'POST /v1/webhooks/:webhook_id/rotate': 'admin',
  'POST /v1/webhooks/:webhook_id/replay': 'admin',
  'POST /v1/webhooks/:webhook_id/ping': 'admin',
  'GET /v1/webhooks/:webhook_id/attempts': 'admin',

  'GET /v1/keys': 'admin',
  'POST /v1/keys': 'admin',
  'POST /v1/keys/:key_id/rotate': 'admin',
  'DELETE /v1/keys/:key_id': 'admin',
  'GET /v1/federation': 'admin',
  'POST /v1/federation': 'admin',
  'GET /v1/federation/:federation_id': 'admin',
  'PUT /v1/federation/:federation_id': 'admin',
  'DELETE /v1/federation/:federation_id': 'admin',
  'POST /v1/token': 'none',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key needs for this route. */
    readonly scope?: RouteScope
  }
}

/** Looks up the scope of every route that is registered after it. */
export function scopeRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/')) route.config = { ...route.config, scope: scopeOf(route) }
  })
}

function scopeOf({ method, url }: RouteOptions): RouteScope {
  const all = new Set([method].flat().map((each) => ROUTE_SCOPES[`${each === 'HEAD' ? 'GET' : each} ${url}`]))
  const [scope] = all
  if (scope === undefined || all.size !== 1)
    throw new Error(`${String(method)} ${url} is missing from ROUTE_SCOPES in route-scopes.ts`)
  return scope
}

/** Rejects an API key without the scope of the route, before the body is read. */
export const hasScope: Rule = ({ caller, routeOptions }: FastifyRequest) => {
  const { scope = 'none' } = routeOptions.config
  return scope === 'none' ? undefined : missing(caller, [scope])
}

/** A key cannot hand out scopes that it does not have. */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  const refusal = missing(caller, scopes)
  if (refusal !== undefined) throw refusal
}

function missing(caller: Caller, wanted: readonly Scope[]): Refusal | undefined {
  if (caller.is === 'anyone' || caller.scopes === undefined) return undefined
  const { scopes } = caller
  const lacking = wanted.filter((scope) => !scopes.includes(scope))
  if (lacking.length === 0) return undefined
  const names = lacking.map((scope) => `\`${scope}\``).join(', ')
  return new Refusal(
    'scope_missing',
    `This API key does not have the scope ${names}. It has: ${scopes.join(', ')}. Use a key with that scope.`,
  )
}
