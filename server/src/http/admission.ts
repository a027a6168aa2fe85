// docs/decisions/0105
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { ANYONE, type Authenticate } from './caller.ts'
import { CallerTurns } from './caller-turns.ts'
import type { Load } from './load.ts'

/** A rule that every request is held against before its route is reached; gives the refusal where it does not hold. */
export type Rule = (request: FastifyRequest) => Refusal | undefined

export interface Admission {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
  readonly authenticate: Authenticate
  /** Rules that ask who the caller is. */
  readonly callerRules: readonly Rule[]
}

/**
 * What holds for every request, in one step, because every request pays for each step. A key that is sent and not
 * valid is 401 on every endpoint, the public ones too.
 */
export function admit(app: FastifyInstance, { headers, rules, authenticate, callerRules }: Admission): void {
  const rulesForAnyone = [...rules, ...callerRules]
  const turns = new CallerTurns()
  app.decorateRequest('caller', { getter: () => ANYONE })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    const key = request.headers['x-api-key']
    const refusal = firstBroken(key === undefined ? rulesForAnyone : rules, request)
    if (refusal !== undefined || key === undefined) return done(refusal)
    authenticate(String(key)).then(
      (caller) => {
        if (caller === undefined)
          return done(new Refusal('api_key_invalid', 'The X-API-Key that was sent is not valid.'))
        Object.defineProperty(request, 'caller', { value: caller })
        const broken = firstBroken(callerRules, request)
        if (broken !== undefined) return done(broken)
        return turns.begin(caller.workspaceId, done)
      },
      (error: unknown) => done(error as Error),
    )
  })
}

function firstBroken(rules: readonly Rule[], request: FastifyRequest): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(request)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** What is in hand is finished; what comes over an open connection while the service stops is sent elsewhere. */
export function isNotStopping(isStopping: () => boolean): Rule {
  const headers = { 'retry-after': '2', connection: 'close' }
  return () =>
    isStopping()
      ? new Refusal('stopping', 'The service is being stopped. Try again shortly.', { headers })
      : undefined
}

const TOO_LATE_MS = 2000
/** So few can't be the reason for being late: turning them away would help nobody. */
const FEW_IN_FLIGHT = 50
/** Answered however busy the service is, so that its operator sees how it is. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics'])

/** More than the service can hold is answered 503 at once, instead of late or never. */
export function isNotOverloaded(load: Load, maxInFlight: number): Rule {
  const headers = { 'retry-after': '2' }
  return (request) => {
    const inFlight = load.inFlight()
    const busy = inFlight > maxInFlight || (load.lagMs() > TOO_LATE_MS && inFlight > FEW_IN_FLIGHT)
    if (!busy || ALWAYS_ANSWERED.has(request.url)) return undefined
    return new Refusal('overloaded', 'The service is at its limit. Try again shortly.', { headers })
  }
}
