import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { addressGroup } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'
import { type Access, accessOf, permissionsOf } from '../access/permissions.ts'
import { rejectOtherSites } from '../access/same-site.ts'
import { sessionCookie } from '../access/session-cookie.ts'
import type { ConsoleSession } from '../access/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that a console route requires. */
    access?: Access
  }
}

/** Sent with background polling, which does not extend the session. */
const BACKGROUND_HEADER = 'x-console-background'
export const SIGN_INS_PER_MINUTE = 30
const SESSIONS = new WeakMap<FastifyRequest, ConsoleSession>()

/** The session of a request that passed the guard. */
export function sessionOf(request: FastifyRequest): ConsoleSession {
  const session = SESSIONS.get(request)
  if (session === undefined) throw new Error('this route has no session')
  return session
}

/** Checks origin, session, permission and rate limit of every console request. */
export function guard(scope: FastifyInstance, services: ConsoleServices): void {
  scope.addHook('onRoute', (route) => setAccess(route, scope.prefix))
  const isWithinSignIns = limitSignIns(services)

  scope.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    reply.header('vary', 'cookie')
    rejectOtherSites(request, services.place())
    if (access === 'anyone') return isWithinSignIns(request)
    const session = await requireSession(services, request, reply)
    requirePermission(session, access)
    Object.defineProperty(request, 'caller', { value: session.caller })
    const refusal = services.isWithinRate(request)
    if (refusal !== undefined) throw refusal
    SESSIONS.set(request, session)
  })

  // Another member may use the same browser.
  scope.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store')
    return payload
  })
}

/** Looks up the permission of a route. A route without one prevents the service from starting. */
function setAccess(route: RouteOptions, prefix: string): void {
  const path = route.url.slice(prefix.length)
  const all = [route.method].flat().map((method) => accessOf(method, path))
  const [access] = all
  if (access === undefined || all.some((each) => each !== access))
    throw new Error(`${String(route.method)} ${path} is missing from ACCESS in permissions.ts`)
  route.config = { ...route.config, access }
  // The console API is not public.
  route.schema = { ...route.schema, hide: true }
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

async function requireSession(
  { sessions, sessionUse, place }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleSession> {
  if (request.headers['x-api-key'] !== undefined)
    throw new Refusal('session_required', 'The console does not accept API keys. Sign in.')
  const cookie = sessionCookie(place())
  const sent = cookie.read(request.headers.cookie)
  const isStream = request.routeOptions.url?.endsWith('/events') === true
  const found = await sessions.authenticate(sent, !isStream)
  if (found === undefined) {
    if (sent !== undefined) reply.header('set-cookie', cookie.clear())
    throw new Refusal('session_required', 'You are not signed in, or your session has ended. Sign in.')
  }
  const { session, secret } = found
  if (secret !== undefined) reply.header('set-cookie', cookie.set(secret, sessions.limits.wholeMs / 1000))
  if (request.headers[BACKGROUND_HEADER] === undefined && !isStream) sessionUse.seen(session.sessionId)
  return session
}

function requirePermission({ role, caller }: ConsoleSession, access: Access | undefined): void {
  if (access === 'self') return
  workspaceOf(caller)
  if (access === undefined || access === 'anyone' || !permissionsOf(role).includes(access))
    throw new Refusal('role_insufficient', `Your role (${role}) does not allow this. Ask an owner.`)
}
