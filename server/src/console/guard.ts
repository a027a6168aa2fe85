import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { addressGroup } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'
import { type Access, accessOf, permissionsOf } from './permissions.ts'
import { refuseOtherSites } from './same-site.ts'
import { sessionCookie } from './session-cookie.ts'
import type { ConsoleSession } from './sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of the console asks for. */
    access?: Access
  }
}

/** A page that asks again and again by itself does not keep its session alive. */
const BACKGROUND_HEADER = 'x-console-background'
export const SIGN_INS_PER_MINUTE = 30
const BEGUN = new WeakMap<FastifyRequest, ConsoleSession>()

/** Whose session a request belongs to; the guard has let it in. */
export function sessionOf(request: FastifyRequest): ConsoleSession {
  const session = BEGUN.get(request)
  if (session === undefined) throw new Error('a route without a session asks for one')
  return session
}

/** What holds for every request to the console, before its route is reached. */
export function guard(scope: FastifyInstance, services: ConsoleServices): void {
  scope.addHook('onRoute', (route) => name(route, scope.prefix))
  const isWithinSignIns = limitSignIns(services)

  scope.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    reply.header('vary', 'cookie')
    refuseOtherSites(request, services.place())
    if (access === 'anyone') return isWithinSignIns(request)
    const session = await signedIn(services, request, reply)
    refuseWhatIsNotGiven(session, access)
    Object.defineProperty(request, 'caller', { value: session.caller })
    const refusal = services.isWithinRate(request)
    if (refusal !== undefined) throw refusal
    BEGUN.set(request, session)
  })

  // What a member has seen stays in no cache: another member may sit down at the same browser.
  scope.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store')
    return payload
  })
}

/** Gives a route what the table asks for it. One that is not in the table stops the service from starting. */
function name(route: RouteOptions, prefix: string): void {
  const path = route.url.slice(prefix.length)
  const asked = [route.method].flat().map((method) => accessOf(method, path))
  const [access] = asked
  if (access === undefined || asked.some((each) => each !== access))
    throw new Error(`${String(route.method)} ${path} has no row in the console's permissions`)
  route.config = { ...route.config, access }
  // The console is not part of the described interface.
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
    throw new Refusal('rate_limited', `Too many attempts to sign in. Try again in ${seconds} s.`, {
      headers: { 'retry-after': `${seconds}` },
    })
  }
}

async function signedIn(
  { sessions, sessionUse, place }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleSession> {
  if (request.headers['x-api-key'] !== undefined)
    throw new Refusal('session_required', 'The console takes no API key: sign in.')
  const cookie = sessionCookie(place())
  const sent = cookie.read(request.headers.cookie)
  const isStream = request.routeOptions.url?.endsWith('/events') === true
  const found = await sessions.authenticate(sent, !isStream)
  if (found === undefined) {
    if (sent !== undefined) reply.header('set-cookie', cookie.clear())
    throw new Refusal('session_required', 'You are not signed in, or no longer.')
  }
  const { session, secret } = found
  if (secret !== undefined) reply.header('set-cookie', cookie.set(secret, sessions.limits.wholeMs / 1000))
  if (request.headers[BACKGROUND_HEADER] === undefined && !isStream) sessionUse.seen(session.sessionId)
  return session
}

function refuseWhatIsNotGiven({ role, caller }: ConsoleSession, access: Access | undefined): void {
  if (access === 'self') return
  workspaceOf(caller)
  if (access === undefined || access === 'anyone' || !permissionsOf(role).includes(access))
    throw new Refusal('role_insufficient', `Your role, ${role}, does not let you do this. Ask an owner.`)
}
