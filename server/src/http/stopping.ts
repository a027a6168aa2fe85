import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals.ts'

/** What is in hand is finished; what comes over an open connection while the service stops is sent elsewhere. */
export function refuseWhileStopping(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isStopping()) return done()
    const headers = { 'retry-after': '2', connection: 'close' }
    return done(new Refusal('stopping', 'The service is being stopped. Try again shortly.', { headers }))
  })
}
