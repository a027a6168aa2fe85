import * as http from 'node:http'

type Environment = Readonly<Record<string, string | undefined>>

/** Not in the types of every version of Node.js that the package supports. */
const { setGlobalProxyFromEnv } = http as {
  readonly setGlobalProxyFromEnv?: (env: Record<string, string>) => () => void
}

/** Never sent through a proxy, which would not reach this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

/**
 * Sends the requests of this process through the proxy that HTTPS_PROXY and HTTP_PROXY name, except to hosts in NO_PROXY
 * and to this machine. Lower-case names count too. Returns a function that ends this. Needs Node.js 24.14 if a proxy is set.
 *
 * @example
 * ```ts
 * import { useEnvProxy } from '@kitseal/client/node'
 *
 * const stop = useEnvProxy(process.env)
 * stop()
 * ```
 */
export function useEnvProxy(env: Environment): () => void {
  const proxies = proxiesIn(env)
  if (proxies.length === 0) return () => undefined
  if (setGlobalProxyFromEnv === undefined)
    throw new Error(
      'this version of Node.js cannot use a proxy. Use Node.js 24.14, or pass your own `fetch`.',
    )
  const given = env['no_proxy'] || env['NO_PROXY'] || ''
  const noProxy =
    given.trim() === '*' ? '*' : [...given.split(/[\s,]+/).filter(Boolean), ...LOOPBACK].join(',')
  return setGlobalProxyFromEnv({ ...Object.fromEntries(proxies), no_proxy: noProxy })
}

/** The proxies in an environment, by `http_proxy` and `https_proxy`. Throws without showing a password. */
function proxiesIn(env: Environment): readonly (readonly [string, string])[] {
  return ['https_proxy', 'http_proxy'].flatMap((name) => {
    const upper = name.toUpperCase()
    // In CGI programs, HTTP_PROXY is a header that the client of a web server sends.
    const isCgi = name === 'http_proxy' && env['REQUEST_METHOD'] !== undefined
    const text = env[name] || (isCgi ? '' : env[upper]) || ''
    if (text === '') return []
    const url = text.includes('://') ? text : `http://${text}`
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`${upper} is not the URL of an http or https proxy, such as http://proxy.example:3128`)
    return [[name, url] as const]
  })
}
