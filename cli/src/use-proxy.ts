import { InputError, reportInputError } from './input-error.ts'
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

/** Runs a command, with its requests sent through the proxy in the environment, if there is one. */
export async function withProxy(
  name: string,
  args: readonly string[],
  terminal: Terminal,
  run: () => Promise<number>,
): Promise<number> {
  let stop: (() => void) | undefined
  try {
    const isOffline = OFFLINE.has(name) && !args.some((each) => each.includes('://'))
    if (!isOffline) stop = await useProxy(terminal.env)
    return await run()
  } catch (error) {
    return reportInputError(error, name, terminal, args.includes('--json'))
  } finally {
    stop?.()
  }
}

/** These make no requests, unless an argument is a URL, so they run on releases of Node.js that cannot use a proxy. */
const OFFLINE: ReadonlySet<string> = new Set('check diff keygen logout prove seal trust verify'.split(' '))

async function useProxy(env: Environment): Promise<(() => void) | undefined> {
  if (!NAMES.some((name) => (env[name] ?? '') !== '')) return undefined
  // Loaded here, because most commands are offline and start faster without it.
  const { useEnvProxy } = await import('@kitseal/client/node')
  try {
    const stop = useEnvProxy(env)
    const fetch = globalThis.fetch
    globalThis.fetch = (input, init) =>
      fetch(input, init).catch((error: unknown) => {
        const status = refusedStatus(error)
        throw status === undefined ? error : new ProxyRefusal(String(input), status, env)
      })
    return () => {
      globalThis.fetch = fetch
      stop()
    }
  } catch (error) {
    throw new InputError(
      (error as Error).message.replace('pass your own `fetch`', 'the executable of the release'),
    )
  }
}

/** Fetch says only "Request was cancelled." The status is in the cause of its cause. */
function refusedStatus(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const status = /^Proxy response \((\d{3})\)/.exec(at.message)?.[1]
    if (status !== undefined) return status
  }
  return undefined
}
