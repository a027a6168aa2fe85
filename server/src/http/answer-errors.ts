import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'
import { asRefusal, errorAnswer } from './error-answer.ts'
import type { RouteTable } from './route-table.ts'

/** A page for people, or undefined for whoever did not ask for one. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Every error of every route, known or unknown, leaves in the contract's error shape. */
export function answerErrors(
  app: FastifyInstance,
  log: Log,
  routes: RouteTable,
  nothingHere?: SendPage,
): void {
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const refusal = nowhere(routes, request)
    const page = refusal.code === 'route_not_found' ? nothingHere?.(request, reply) : undefined
    if (page !== undefined) return page
    throw refusal
  })
}

/** What is sent to nowhere is not read: it gets the same answer whatever it holds. */
export function leadsSomewhere(routes: RouteTable): Rule {
  return (request) =>
    request.is404 && request.method !== 'GET' && request.method !== 'HEAD'
      ? nowhere(routes, request)
      : undefined
}

function nowhere(routes: RouteTable, request: FastifyRequest): Refusal {
  const allowed = routes.methodsOf(request.url).join(', ')
  return allowed === ''
    ? new Refusal('route_not_found', 'There is nothing at this path.')
    : new Refusal('method_not_allowed', `This path takes ${allowed}.`, { headers: { allow: allowed } })
}

export function sendError(
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asRefusal(error, request.routeOptions?.bodyLimit)
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
