import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { ANYONE, type Authenticate, type WorkspaceCaller } from './caller.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { type Load, StartQueue } from './load.ts'
import { AddressCounts } from './addresses.ts'
import { traceOf } from './request-headers.ts'

/** Checked before routing. Returns the refusal of a request that breaks the rule. */
export type Rule = (request: FastifyRequest, reply: FastifyReply) => Refusal | undefined

/** Returns the member whose session a request carries: undefined at once if it carries none, and later if it has ended. */
export type ResolveSession = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<WorkspaceCaller | undefined> | undefined

export interface Admission {
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>
  readonly crossOrigin: CrossOrigin
  readonly rules: readonly Rule[]
  readonly authenticate: Authenticate
  readonly resolveSession: ResolveSession
  /** Where to redirect a request, by its URL. Undefined if it is not redirected. */
  readonly redirect: (url: string) => string | undefined
  /** Rules that depend on the caller. */
  readonly callerRules: readonly Rule[]
}

/**
 * Finds out who calls and applies the rules, in one hook because every hook costs time. A key beats a session, and an invalid
 * key gets 401 on every endpoint, including public ones. A session that has ended counts as none.
 */
export function admit(app: FastifyInstance, admission: Admission): void {
  const { headers, crossOrigin, rules, redirect, authenticate, resolveSession, callerRules } = admission
  const queue = new StartQueue()
  const callerOf = (request: FastifyRequest, reply: FastifyReply) => {
    const key = request.headers['x-api-key'] ?? bearerKey(request.headers.authorization)
    return key === undefined
      ? resolveSession(request, reply)
      : authenticate(String(key), request.headers['user-agent']).then(requireValidKey)
  }
  app.decorateRequest('caller', { getter: () => ANYONE })
  app.decorateRequest('traceId', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    const { traceId, traceparent } = traceOf(request.headers['traceparent'])
    request.traceId = traceId
    reply.header('traceparent', traceparent)
    const shared = crossOrigin.headers(request)
    if (shared !== undefined) reply.headers(shared)
    const refusal = firstBroken(rules, request, reply)
    if (refusal !== undefined) return done(refusal)
    if (crossOrigin.preflight(request, reply)) return
    const location = redirect(request.url)
    if (location !== undefined) return void reply.code(308).header('location', location).send()
    const asked = callerOf(request, reply)
    if (asked === undefined) return done(firstBroken(callerRules, request, reply))
    asked.then(
      (caller) => {
        // Configurable: under a link, the link says who acts.
        if (caller !== undefined)
          Object.defineProperty(request, 'caller', { value: caller, configurable: true })
        const broken = firstBroken(callerRules, request, reply)
        return broken !== undefined || caller === undefined
          ? done(broken)
          : queue.start(caller.workspaceId, done)
      },
      (error: unknown) => done(error as Error),
    )
  })
}

function requireValidKey(caller: WorkspaceCaller | undefined): WorkspaceCaller {
  if (caller === undefined) throw new Refusal('api_key_invalid', 'The API key in X-API-Key is not valid.')
  return caller
}

/** An API key as a bearer token. Other credentials are for proxies, and ignored. */
const bearerKey = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^bearer +(ks_\S+) *$/i.exec(header)?.[1]

function firstBroken(rules: readonly Rule[], request: FastifyRequest, reply: FastifyReply) {
  for (const rule of rules) {
    const refusal = rule(request, reply)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** During shutdown, requests in progress finish and new ones on open connections are rejected. */
export function isNotStopping(isStopping: () => boolean): Rule {
  const headers = { 'retry-after': '2', connection: 'close' }
  return () =>
    isStopping()
      ? new Refusal('stopping', 'The service is shutting down. Try again shortly.', { headers })
      : undefined
}

const MAX_LAG_MS = 2000
/** With fewer requests than this, shedding load would not reduce the delay. */
const MIN_IN_FLIGHT = 50
/** Never refused, so that operators see the state of an overloaded service. Load balancers and orchestrators ask with names of their own. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Limits the requests that one address has in flight, so that it cannot take the place of the others. */
export function isNotCrowding(maxPerAddress: number): Rule {
  const inFlight = new AddressCounts()
  const headers = { 'retry-after': '2', connection: 'close' }
  return (request, { raw }) => {
    const count = inFlight.add(request.ip, raw)
    return count > maxPerAddress && !PROBES.has(request.url)
      ? new Refusal('rate_limited', 'Too many requests at once from your address. Try again shortly.', {
          args: { what: 'requests', seconds: 2 },
          headers,
        })
      : undefined
  }
}

/** Sheds load: an overloaded service rejects requests at once instead of answering late. */
export function isNotOverloaded(load: Load, maxInFlight: number): Rule {
  const headers = { 'retry-after': '2' }
  return (request) => {
    const inFlight = load.inFlight()
    const busy = inFlight > maxInFlight || (load.lagMs() > MAX_LAG_MS && inFlight > MIN_IN_FLIGHT)
    if (!busy || PROBES.has(request.url)) return undefined
    return new Refusal('overloaded', 'The service is overloaded. Try again shortly.', { headers })
  }
}
