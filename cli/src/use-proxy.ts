import type * as http from 'node:http'
import { InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

type Environment = Terminal['env']

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** The proxy for requests to a URL, without its password, and the variable that names it. */
function proxyFor(
  url: string,
  env: Environment,
): { readonly host: string; readonly name: string } | undefined {
  const names = url.startsWith('https:') ? NAMES : NAMES.slice(2)
  const name = names.find((each) => (env[each] ?? '') !== '')
  return name === undefined ? undefined : { host: (env[name] ?? '').replace(/^.*@|^\w+:\/\//, ''), name }
}

/** A sentence about the proxy in the environment. Empty without one. */
export function proxyNote(url: string, env: Environment): string {
  const proxy = proxyFor(url, env)
  return proxy === undefined ? '' : ` Requests go through the proxy ${proxy.host} (${proxy.name}).`
}

/** The proxy refused to connect. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal'
  /** Whether waiting does not help. */
  readonly isFinal: boolean

  constructor(url: string, status: string, env: Environment) {
    const { host, name } = proxyFor(url, env) ?? { host: '', name: 'HTTPS_PROXY' }
    const target = new URL(url).host
    super(
      `the proxy ${host} (${name}) refused to connect to ${target}: status ${status}. ${
        status === '407'
          ? `It asks for a user name and a password: set ${name} to http://USER:PASSWORD@${host.replace(/\/.*$/, '')}.`
          : `Ask its operator to allow ${target}, or add ${target.replace(/:\d+$/, '')} to NO_PROXY if it can be reached directly.`
      }`,
    )
    this.isFinal = !status.startsWith('5')
  }
}

/** Runs a command, with the requests of this process sent through the proxy in the environment, if there is one. */
export async function withProxy(env: Environment, run: () => Promise<number>): Promise<number> {
  const proxies = proxiesIn(env)
  if (proxies.length === 0) return run()
  // Loaded here, because most commands are offline and start faster without it.
  const { setGlobalProxyFromEnv } = (await import('node:http')) as Partial<typeof http>
  if (setGlobalProxyFromEnv === undefined)
    throw new InputError('this version of Node.js cannot use a proxy. Use Node.js 24.14 or newer.')
  const given = env['no_proxy'] || env['NO_PROXY'] || ''
  const noProxy =
    given.trim() === '*' ? '*' : [...given.split(/[\s,]+/).filter(Boolean), ...LOOPBACK].join(',')
  const stop = setGlobalProxyFromEnv({ ...Object.fromEntries(proxies), no_proxy: noProxy })
  const fetch = globalThis.fetch
  globalThis.fetch = (input, init) =>
    fetch(input, init).catch((error: unknown) => {
      const status = refusedStatus(error)
      throw status === undefined ? error : new ProxyRefusal(String(input), status, env)
    })
  try {
    return await run()
  } finally {
    globalThis.fetch = fetch
    stop()
  }
}

/** Never sent through a proxy, which would not reach this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

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
      throw new InputError(
        `${upper} is not the URL of an http or https proxy, such as http://proxy.example:3128`,
      )
    return [[name, url] as const]
  })
}

/** Fetch says only "Request was cancelled." The status is in the cause of its cause. */
function refusedStatus(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const status = /^Proxy response \((\d{3})\)/.exec(at.message)?.[1]
    if (status !== undefined) return status
  }
  return undefined
}
