import type { RouteTable } from './route-table.ts'

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
