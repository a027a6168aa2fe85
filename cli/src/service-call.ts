import { ApiError, type Client, createClient, NetworkError, type Retry } from '@kitseal/client'
import type { ReadArguments } from './arguments.ts'
import { Interrupted, interruption } from './interruption.ts'
import { type ErrorForPrograms, errorJson, sayUnreadable } from './unreadable-input.ts'
import { apiKey, knownApiKey, serviceUrl } from './service-settings.ts'
import { EXIT, lines, plain, type Terminal } from './terminal.ts'

/** Options of every command that talks to a service. */
export const SERVICE_OPTIONS = {
  url: 'one',
  'api-key': 'one',
  json: 'flag',
} as const

export const SERVICE_HELP = `  --url URL       the service (default: KITSEAL_URL, "url" in the configuration, or http://127.0.0.1:8080)
  --json          the result as JSON

The API key comes from KITSEAL_API_KEY, from "api_key" in kitseal/config.json of your configuration folder (mode 600),
or from a prompt that does not show it. It is never an argument: those can be read by every user of the machine.`

/** Why there is no such option, instead of taking a key that is by now in the history of the shell. */
export function apiKeyProblem(values: ReadArguments<string>['values']): readonly string[] {
  return values.has('api-key')
    ? [
        '--api-key is not taken: what stands on a command line is seen by every user of the machine and kept by the shell. Use KITSEAL_API_KEY, or the configuration; and rotate this key',
      ]
    : []
}

export interface ServiceCall {
  readonly client: Client
  readonly url: string
  readonly signal: AbortSignal
}

export interface CallSetup {
  readonly command: string
  readonly url: string | undefined
  readonly json: boolean
  /** Whether the call can do without a key. */
  readonly isPublic?: boolean
}

/** Runs what talks to the service; says what went wrong, to a person or a program, and returns the exit code. */
export async function callService<Input>(
  terminal: Terminal,
  { command, url: given, json, isPublic = false }: CallSetup,
  /** What has to be read first: nobody is asked for a key in vain. */
  read: () => Input | Promise<Input>,
  work: (call: ServiceCall, input: Input) => Promise<number>,
): Promise<number> {
  using interrupt = interruption()
  const { signal } = interrupt
  const say = (text: string): void => lines(terminal.stderr, [`kitseal ${command}: ${plain(text)}`])
  try {
    const url = serviceUrl(given, terminal)
    const input = await read()
    const key = isPublic ? knownApiKey(terminal) : await apiKey(terminal, url, signal)
    if (key !== undefined && isExposed(url)) say(`the API key goes to ${url} unencrypted: use https`)
    const onRetry = ({ error, waitMs }: Retry): void =>
      say(`${error.message}; trying again in ${(waitMs / 1000).toFixed(1)} s`)
    const client = createClient({ baseUrl: url, apiKey: key, retry: { onRetry } })
    return await work({ client, url, signal }, input)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) return sayUnreadable(error, command, terminal, json)
    if (json && failure.error !== undefined) lines(terminal.stdout, [errorJson(failure.error)])
    else say(failure.text)
    return failure.exitCode
  }
}

function isExposed(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

interface Failure {
  readonly text: string
  readonly exitCode: number
  readonly error?: ErrorForPrograms
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Interrupted) return { text: error.message, exitCode: error.exitCode }
  if (error instanceof NetworkError) {
    const { message } = error
    return { text: message, exitCode: EXIT.usage, error: { code: 'service_unreachable', message } }
  }
  if (error instanceof ApiError) {
    const { status, code, message, requestId } = error
    return {
      text: `${message} (${code}, ${requestId || `status ${status}`})`,
      exitCode: EXIT.fail,
      error: { code, message, http_status: status, request_id: requestId },
    }
  }
  return undefined
}
