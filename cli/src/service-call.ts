import { ApiError, type Client, createClient, NetworkError, type Retry } from '@kitseal/client'
import type { ParsedArguments } from './arguments.ts'
import { Interrupted, interruptSignal } from './interruption.ts'
import { type JsonError, errorJson, reportInputError } from './input-error.ts'
import { isUnencrypted } from './is-unencrypted.ts'
import { apiKey, knownApiKey, serviceUrl } from './service-settings.ts'
import { EXIT, writeLines, printable, type Terminal } from './terminal.ts'
import { proxyNote } from './use-proxy.ts'

/** Options of every command that calls a service. */
export const SERVICE_OPTIONS = {
  url: 'one',
  'api-key': 'one',
  json: 'flag',
} as const

export const SERVICE_HELP = `  --url URL       the service (default: KITSEAL_URL, the one you logged in to, or http://127.0.0.1:8080)
  --json          print the result as JSON

The API key is read from KITSEAL_API_KEY, or was stored by "kitseal login", or is asked for. It is never an argument,
because other users of the machine can see those. In a CI job with KITSEAL_FEDERATION_ID, no key is needed.`

/** Rejects --api-key: by now the key is in the shell history. */
export function rejectApiKeyOption(values: ParsedArguments<string>['values']): readonly string[] {
  return values.has('api-key')
    ? [
        '--api-key is not supported: other users can see arguments, and the shell stores them. Run "kitseal login" or set KITSEAL_API_KEY, and rotate this key.',
      ]
    : []
}

export interface ServiceCall {
  readonly client: Client
  readonly url: string
  readonly apiKey?: string | undefined
  readonly signal: AbortSignal
}

export interface CallSetup {
  readonly command: string
  readonly url: string | undefined
  readonly json: boolean
  /** Whether the call works without an API key. */
  readonly isPublic?: boolean
  /** Reads an API key that is not configured yet. */
  readonly readKey?: (signal: AbortSignal) => Promise<string>
}

/** Runs a command that calls the service. Reports errors as text or JSON and returns the exit code. */
export async function callService<Input>(
  terminal: Terminal,
  { command, url: given, json, isPublic = false, readKey }: CallSetup,
  /** Runs before the API key prompt, so that input errors come first. */
  read: (signal: AbortSignal) => Input | Promise<Input>,
  work: (call: ServiceCall, input: Input) => Promise<number>,
): Promise<number> {
  using interrupt = interruptSignal()
  const { signal } = interrupt
  const say = (text: string): void => writeLines(terminal.stderr, [`kitseal ${command}: ${printable(text)}`])
  try {
    const url = serviceUrl(given, terminal)
    const input = await read(signal)
    const findKey = readKey ?? (() => apiKey(terminal, url, signal))
    const key = isPublic ? knownApiKey(terminal, url) : await findKey(signal)
    if (key !== undefined && isUnencrypted(url))
      say(`Warning: the API key is sent to ${url} unencrypted. Use https.`)
    const onRetry = ({ error, waitMs }: Retry): void =>
      say(`${error.message.replace(/\.$/, '')}. Retrying in ${(waitMs / 1000).toFixed(1)} s.`)
    const client = createClient({
      baseUrl: url,
      apiKey: key,
      traceparent: terminal.env['TRACEPARENT'],
      retry: { onRetry },
    })
    return await work({ client, url, apiKey: key, signal }, input)
  } catch (error) {
    const failure = failureOf(error, terminal)
    if (failure === undefined) return reportInputError(error, command, terminal, json)
    if (json && failure.error !== undefined) writeLines(terminal.stdout, [errorJson(failure.error)])
    else say(failure.text)
    return failure.exitCode
  }
}

interface Failure {
  readonly text: string
  readonly exitCode: number
  readonly error?: JsonError
}

function failureOf(error: unknown, { env }: Terminal): Failure | undefined {
  if (error instanceof Interrupted) return { text: error.message, exitCode: error.exitCode }
  if (error instanceof NetworkError) {
    const note = proxyNote(env)
    const problem = error.message.replace('Check the URL.', 'Check --url.')
    const message = note === '' ? problem : `${problem.replace(/\.$/, '')}.${note}`
    return { text: message, exitCode: EXIT.usage, error: { code: 'service_unreachable', message } }
  }
  if (error instanceof ApiError) {
    const { status, code, param, requestId } = error
    const message = error.message.replace('Check the URL.', 'Check --url.')
    return {
      text: `${message} (${code}, ${requestId || `status ${status}`})`,
      exitCode: EXIT.refused,
      error: { code, message, param, http_status: status, request_id: requestId },
    }
  }
  return undefined
}
