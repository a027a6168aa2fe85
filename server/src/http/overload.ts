import type { Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals.ts'

export interface Load {
  inFlight(): number
  /** By how much the process is late, as last measured. */
  lagMs(): number
}

const MEASURE_EVERY_MS = 250
const TOO_LATE_MS = 2000
/** Answered however busy the service is, so that its operator sees how it is. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics'])

/** More than the service can hold is answered 503 at once, instead of late or never. */
export function refuseOverload(app: FastifyInstance, maxInFlight: number): Load {
  const load = measureLoad(app)
  app.addHook('onRequest', (request, _reply, done) => {
    const busy = load.inFlight() > maxInFlight || load.lagMs() > TOO_LATE_MS
    if (!busy || ALWAYS_ANSWERED.has(request.url)) return done()
    return done(
      new Refusal('overloaded', 'The service is at its limit. Try again shortly.', {
        headers: { 'retry-after': '2' },
      }),
    )
  })
  return load
}

function measureLoad(app: FastifyInstance): Load {
  let inFlight = 0
  let lagMs = 0
  const server: Server = app.server
  server.on('request', (_request: unknown, response: ServerResponse) => {
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
  })
  let expected = performance.now() + MEASURE_EVERY_MS
  const timer = setInterval(() => {
    lagMs = Math.max(0, performance.now() - expected)
    expected = performance.now() + MEASURE_EVERY_MS
  }, MEASURE_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { inFlight: () => inFlight, lagMs: () => lagMs }
}
