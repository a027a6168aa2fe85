import type { FastifyInstance } from 'fastify'

/** Answers are data for programs: nothing in them is to be run, framed, guessed at or kept by a cache on the way. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** For pages of the service itself, which bring their own style and script and reach nothing but the service. */
export const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
} as const

const ONE_YEAR_SECONDS = 31_536_000

export function sendHeaders(app: FastifyInstance, options: { readonly behindTls: boolean }): void {
  const headers = {
    ...SECURITY_HEADERS,
    ...(options.behindTls ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    done()
  })
}
