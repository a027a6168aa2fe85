import type { FastifyInstance } from 'fastify'

/** For everything under a token. The address is a secret: it must not reach other sites, caches or search engines. */
export const LINK_HEADERS = {
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** Registers routes under a token, such as `/s/:token`. They are limited by address and not part of the API description. */
export function linkScope(
  app: FastifyInstance,
  prefix: '/s/:token' | '/r/:token' | '/u/:token',
  register: (scope: FastifyInstance) => void,
): void {
  void app.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        // The link says who may call: a session or a key that comes along does not count.
        const { access: _, ...config } = route.config ?? {}
        route.config = { rate: 'link', ...config }
        route.schema = { ...route.schema, hide: true }
      })
      scope.addHook('onSend', async (_request, reply, payload) => {
        reply.headers(LINK_HEADERS)
        return payload
      })
      register(scope)
    },
    { prefix },
  )
}
