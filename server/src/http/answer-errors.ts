import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { Refusal } from '../refusals.ts'
import { asRefusal, errorAnswer } from './error-answer.ts'
import { routeTable } from './route-table.ts'

/** Every error of every route, known or unknown, leaves in the contract's error shape. */
export function answerErrors(app: FastifyInstance, log: Log): void {
  const routes = routeTable(app)
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request) => {
    const allowed = routes.methodsOf(request.url)
    throw allowed.length === 0
      ? new Refusal('route_not_found', 'There is nothing at this path.')
      : new Refusal('method_not_allowed', `This path takes ${allowed.join(', ')}.`, {
          headers: { allow: allowed.join(', ') },
        })
  })
}

export function sendError(
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asRefusal(error)
  if (refusal.code === 'internal_error') log.error({ err: error, request_id: request.id }, 'request failed')
  else if (refusal.status >= 500) log.warn({ err: error, request_id: request.id }, 'request refused')
  if (refusal.status === 401) reply.header('www-authenticate', 'ApiKey header="X-API-Key"')
  // What a handler may have said about the answer that it did not give.
  for (const name of ['etag', 'content-length', 'content-range', 'content-disposition', 'last-modified'])
    reply.removeHeader(name)
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(errorAnswer(refusal.code, refusal.message, request.id))
}
