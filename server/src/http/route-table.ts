import { Readable } from 'node:stream'
import type { FastifyInstance, onSendHookHandler } from 'fastify'

/** Which methods a path supports, so that a wrong method gets 405 with `Allow` instead of 404. */
export type RouteTable = ReturnType<typeof routeTable>

/** What is registered after it for GET also answers HEAD. Fastify would register it a second time for that, which takes a tenth of the start. */
export function routeTable(app: FastifyInstance) {
  const routes: { readonly matches: RegExp; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD']
    routes.push({ matches: pattern(route.url), methods: [route.method].flat() })
  })
  app.addHook('onSend', withoutStream)
  return {
    methodsOf: (url: string): readonly string[] => {
      const path = url.split('?', 1)[0] ?? url
      return [
        ...new Set(routes.filter((route) => route.matches.test(path)).flatMap((route) => route.methods)),
      ].toSorted()
    },
  }
}

/** Node sends no body after HEAD. A stream would be read for nothing, and may never end. */
const withoutStream: onSendHookHandler = ({ method }, _reply, payload, done) => {
  if (method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
  payload.destroy()
  return done(null, null)
}

/** A route such as `/v1/kits/:kit_id/manifest` or `/docs/*` as a regular expression. */
function pattern(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${segments.join('/')}$`)
}

/** Where a path with a trailing slash is redirected to: the same path without it. Undefined if there is no such route. */
export function withoutTrailingSlash(routes: RouteTable, url: string): string | undefined {
  const query = url.indexOf('?')
  let end = query === -1 ? url.length : query
  if (end < 2 || url[end - 1] !== '/') return undefined
  while (url[end - 1] === '/') end -= 1
  const path = url.slice(0, end)
  // Only paths of our own: `//other.example/` must not become a redirect to another host.
  if (path === '' || routes.methodsOf(path).length === 0) return undefined
  return query === -1 ? path : path + url.slice(query)
}
