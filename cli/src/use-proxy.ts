import { InputError, reportInputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy']

/** A sentence about the proxy in the environment, without its password. Empty without one. */
export function proxyNote(env: Terminal['env']): string {
  const name = NAMES.find((each) => (env[each] ?? '') !== '')
  if (name === undefined) return ''
  const host = (env[name] ?? '').replace(/^.*@|^\w+:\/\//, '')
  return ` Requests go through the proxy ${host} (${name}).`
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
    stop = await useProxy(terminal.env)
    return await run()
  } catch (error) {
    return reportInputError(error, name, terminal, args.includes('--json'))
  } finally {
    stop?.()
  }
}

async function useProxy(env: Terminal['env']): Promise<(() => void) | undefined> {
  if (!NAMES.some((name) => (env[name] ?? '') !== '')) return undefined
  // Loaded here, because most commands are offline and start faster without it.
  const { useEnvProxy } = await import('@kitseal/client/node')
  try {
    return useEnvProxy(env)
  } catch (error) {
    throw new InputError((error as Error).message)
  }
}
