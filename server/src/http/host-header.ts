import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals.ts'

/** RFC 9112, section 3.2: an HTTP/1.1 request without `Host` is answered 400. */
export function refuseMissingHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion !== '1.1') return done()
    return done(new Refusal('request_malformed', 'An HTTP/1.1 request needs a Host header field.'))
  })
}
