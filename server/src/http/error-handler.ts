import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../runtime/logger.ts'
import { LOST_OBJECT } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'
import { asRefusal, errorResponse } from './error-response.ts'
import { logFields } from './observe-requests.ts'
import type { RouteTable } from './route-table.ts'

/** Sends an HTML page, or returns undefined if the client did not ask for one. */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | FastifyReply | undefined

/** Every error of every route is sent as an ErrorResponse. */
export function handleErrors(app: FastifyInstance, log: Log, routes: RouteTable, nothingHere?: SendPage) {
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const refusal = noRoute(routes, request)
    const page = refusal.code === 'route_not_found' ? nothingHere?.(request, reply) : undefined
    if (page !== undefined) return page
    throw refusal
  })
}

/** Rejects a request without a route before its body is read. */
export function hasRoute(routes: RouteTable): Rule {
  return (request) =>
    request.is404 && request.method !== 'GET' && request.method !== 'HEAD'
      ? noRoute(routes, request)
      : undefined
}

function noRoute(routes: RouteTable, request: FastifyRequest): Refusal {
  const allowed = routes.methodsOf(request.url).join(', ')
  return allowed === ''
    ? new Refusal('route_not_found', 'No route at this path. See /docs for the API.')
    : new Refusal('method_not_allowed', `This path supports ${allowed}.`, { headers: { allow: allowed } })
}

/** The parameter of the path that named what was not found: `submission_not_found` is about `submission_id`. */
function notFound({ code }: Refusal, { params }: FastifyRequest): string | undefined {
  const noun = /^(.+)_not_found$/.exec(code)?.[1]
  const named = typeof params === 'object' && params !== null ? params : {}
  return noun === undefined
    ? undefined
    : [`${noun}_id`, noun, `evidence_${noun}_id`].find((name) => Object.hasOwn(named, name))
}

export function sendError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error, request.routeOptions?.bodyLimit)
  const fields = { err: error, ...logFields(request) }
  if (refusal.code === 'object_unavailable') log.error(fields, LOST_OBJECT)
  else if (refusal.code === 'internal_error') log.error(fields, 'request failed')
  else if (refusal.status >= 500) log.warn(fields, 'request refused')
  if (refusal.status === 401) reply.header('www-authenticate', 'ApiKey header="X-API-Key"')
  // A handler may have set headers of the response that it failed to send.
  for (const name of OF_CONTENT) reply.removeHeader(name)
  const { code, message, args, param = notFound(refusal, request) } = refusal
  const body = errorResponse(code, message, request.id, { args, param })
  const isQuiet = QUIET_STATUSES.has(refusal.status) && request.headers['x-errors'] === 'quiet'
  if (isQuiet) reply.header('x-error-status', refusal.status)
  return reply
    .code(isQuiet ? 200 : refusal.status)
    .headers({ ...refusal.headers, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(isQuiet ? JSON.stringify(body) : body)
}

const OF_CONTENT = ['etag', 'content-length', 'content-range', 'content-disposition', 'repr-digest']

/** A page that expects one of these asks with `X-Errors: quiet`, because browsers log every error status as an error of the page. */
const QUIET_STATUSES = new Set([401, 404, 410])
