import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { Load } from './load.ts'

/** A rule that every request is held against before its route is reached; gives the refusal where it does not hold. */
export type Rule = (request: FastifyRequest) => Refusal | undefined

/** All rules in one step: one hook costs less than one for each rule, and every request pays for it. */
export function admit(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  rules: readonly Rule[],
): void {
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    for (const rule of rules) {
      const refusal = rule(request)
      if (refusal !== undefined) return done(refusal)
    }
    return done()
  })
}

/** RFC 9112, section 3.2: an HTTP/1.1 request without `Host` is answered 400. */
export const hasHost: Rule = ({ headers, raw }) =>
  headers.host === undefined && raw.httpVersion === '1.1'
    ? new Refusal('request_malformed', 'An HTTP/1.1 request needs a Host header field.')
    : undefined

/** What is in hand is finished; what comes over an open connection while the service stops is sent elsewhere. */
export function isNotStopping(isStopping: () => boolean): Rule {
  const headers = { 'retry-after': '2', connection: 'close' }
  return () =>
    isStopping()
      ? new Refusal('stopping', 'The service is being stopped. Try again shortly.', { headers })
      : undefined
}

const TOO_LATE_MS = 2000
/** Answered however busy the service is, so that its operator sees how it is. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics'])

/** More than the service can hold is answered 503 at once, instead of late or never. */
export function isNotOverloaded(load: Load, maxInFlight: number): Rule {
  const headers = { 'retry-after': '2' }
  return (request) => {
    const busy = load.inFlight() > maxInFlight || load.lagMs() > TOO_LATE_MS
    if (!busy || ALWAYS_ANSWERED.has(request.url)) return undefined
    return new Refusal('overloaded', 'The service is at its limit. Try again shortly.', { headers })
  }
}
