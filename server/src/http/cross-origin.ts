import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteTable } from './route-table.ts'

/** What any website may read without credentials: open intake, kits, verification, the log, keys and descriptions. */
const PUBLIC =
  /^\/(?:v1\/(?:intake|kits|verify)\/|log\/|\.well-known\/|openapi(?:\.json|\/)|schemas(?:\/|$|\?))/
/** What the origins of KITSEAL_CORS_ORIGINS may use with an API key. */
const KEYED = /^\/v1\//

/** Response headers that scripts may read, besides those that browsers always show. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Kitseal-Log-Leaf',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-Request-Id',
  'traceparent',
].join(', ')

const ANY = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
const OPEN_HEADERS = 'Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, traceparent'
const KEY_HEADERS = `${OPEN_HEADERS}, Authorization, Last-Event-ID, Tus-Resumable, Upload-Checksum, Upload-Length, Upload-Metadata, Upload-Offset, X-API-Key, X-HTTP-Method-Override`
/** Short enough that an origin that is removed from the list is out soon. */
const MAX_AGE_SECONDS = '600'

export interface CrossOrigin {
  /** Headers of the response that let other websites read it. */
  readonly headers: (request: FastifyRequest) => Readonly<Record<string, string>> | undefined
  /** Answers a preflight request that is allowed. False if there is nothing to answer here. */
  readonly preflight: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** CORS (Fetch standard). Cookies are never allowed, so a session of the console is of no use to another website. */
export function crossOrigin(origins: readonly string[], routes: RouteTable): CrossOrigin {
  const listed = new Map(
    origins.map((origin) => [
      origin,
      { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' },
    ]),
  )
  const unlisted = origins.length === 0 ? undefined : { vary: 'Origin' }
  const headers = ({ url, headers: { origin = '' } }: FastifyRequest) => {
    if (PUBLIC.test(url)) return ANY
    return KEYED.test(url) ? (listed.get(origin) ?? unlisted) : undefined
  }
  const preflight = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin = '', 'access-control-request-method': method } = request.headers
    if (request.method !== 'OPTIONS' || method === undefined || origin === '') return false
    const isPublic = PUBLIC.test(request.url)
    const isListed = listed.has(origin) && KEYED.test(request.url)
    const methods = routes.methodsOf(request.url)
    if ((!isPublic && !isListed) || methods.length === 0) return false
    void reply
      .code(204)
      .headers({
        ...headers(request),
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': isListed ? KEY_HEADERS : OPEN_HEADERS,
        'access-control-max-age': MAX_AGE_SECONDS,
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      .send()
    return true
  }
  return { headers, preflight }
}
