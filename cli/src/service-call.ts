import { ApiError, type Client, createClient, NetworkError, type Retry } from '@kitseal/client'
import {
  type CommandLine,
  type Given,
  JSON_OPTION,
  type Options,
  type Run,
  runLine,
  type Shown,
} from './command-line.ts'
import { Interrupted, interruptSignal } from './interruption.ts'
import { errorJson, reportInputError } from './input-error.ts'
import { isUnencrypted } from './fetch-document.ts'
import { apiKey, knownApiKey, serviceUrl } from './service-settings.ts'
import { EXIT, writeLines, printable, type Terminal } from './terminal.ts'
import { proxyNote, ProxyRefusal } from './use-proxy.ts'

export const SERVICE_NOTE = `The API key is read from KITSEAL_API_KEY, or was stored by "kitseal login", or is asked for. It is never an argument,
because other users of the machine can see those. In a CI job with KITSEAL_FEDERATION_ID, no key is needed.`

/** By now the key is in the shell history. */
export const API_KEY_OPTION =
  '--api-key is not supported: other users can see arguments, and the shell stores them. Run "kitseal login" or set KITSEAL_API_KEY, and rotate this key.'

/** A command that calls the service. */
interface ServiceCommand<Name extends string, Input> extends CommandLine<
  Name,
  (call: ServiceCall, input: Input) => Promise<Shown | number>
> {
  /** Runs before the API key prompt, so that input errors come first. */
  readonly input?: (given: Given<Name>, terminal: Terminal, signal: AbortSignal) => Input | Promise<Input>
  /** Whether the call works without an API key. */
  readonly isPublic?: (given: Given<Name>) => boolean
}

type ServiceOption = 'url' | 'api-key'

/** As the help shows them. */
export const SERVICE_TABLE = {
  url: 'URL  the service (default: KITSEAL_URL, the one you logged in to, or http://127.0.0.1:8080)',
  json: JSON_OPTION,
}

export const SERVICE_OPTIONS = {
  url: SERVICE_TABLE.url,
  'api-key': 'one',
}

export function serviceCommand<Name extends string = never, Input = undefined>(
  name: string,
  help: string,
  line: ServiceCommand<Name, Input>,
): Run {
  const options = { ...line.options, ...SERVICE_OPTIONS } as Options<Name | ServiceOption>
  const read = (given: Given<Name | ServiceOption>) => {
    given.reject(given.has('api-key') && API_KEY_OPTION)
    return line.read(given)
  }
  return (args, terminal) =>
    runLine({ name, help, ...line, options, read }, args, terminal, (operation, given) => {
      const { json, value } = given
      const isPublic = line.isPublic?.(given) ?? false
      const setup = { command: name, url: value('url'), json, isPublic }
      const input = (signal: AbortSignal) => line.input?.(given, terminal, signal) as Input | Promise<Input>
      return callService(terminal, setup, input, operation)
    })
}

export interface ServiceCall {
  readonly client: Client
  readonly url: string
  readonly apiKey?: string | undefined
  readonly signal: AbortSignal
  readonly terminal: Terminal
}

interface CallSetup {
  readonly command: string
  readonly url: string | undefined
  readonly json: boolean
  /** Whether the call works without an API key. */
  readonly isPublic?: boolean
  /** Reads an API key that is not configured yet. */
  readonly readKey?: ((signal: AbortSignal) => Promise<string>) | undefined
}

/** Calls the service. Reports errors as text or JSON and returns the exit code. `read` runs before the API key prompt. */
export async function callService<Input>(
  terminal: Terminal,
  { command, url: given, json, isPublic = false, readKey }: CallSetup,
  read: (signal: AbortSignal) => Input | Promise<Input>,
  work: (call: ServiceCall, input: Input) => Promise<Shown | number>,
): Promise<Shown | number> {
  using interrupt = interruptSignal()
  const { signal } = interrupt
  const say = (text: string): void => writeLines(terminal.stderr, [`kitseal ${command}: ${printable(text)}`])
  const onRetry = ({ error, waitMs }: Retry): void => {
    if (error.cause instanceof ProxyRefusal && error.cause.isFinal) throw error
    say(`${error.message.replace(/\.$/, '')}. Retrying in ${(waitMs / 1000).toFixed(1)} s.`)
  }
  try {
    // A wrong URL is reported before anything is read.
    const url = serviceUrl(given, terminal)
    const input = await read(signal)
    const known = isPublic ? knownApiKey(terminal, url) : await readKey?.(signal)
    const found = known === undefined && !isPublic ? await apiKey(terminal, url, signal) : undefined
    const key = known ?? found?.text
    if (key !== undefined && isUnencrypted(url))
      say(`Warning: the API key is sent to ${url} unencrypted. Use https.`)
    const { default: program } = await import('../package.json', { with: { type: 'json' } })
    const client = createClient({
      baseUrl: url,
      apiKey: key,
      ...(found?.fetch && { fetch: found.fetch }),
      traceparent: terminal.env['TRACEPARENT'],
      // Sealed with the evidence, as what the program calls itself.
      headers: { 'user-agent': `kitseal/${program.version}` },
      retry: { onRetry },
    })
    return await work({ client, url, apiKey: key, signal, terminal }, input)
  } catch (error) {
    const failure = failureOf(error, terminal)
    if (failure === undefined) return reportInputError(error, command, terminal, json)
    if (json && 'error' in failure) writeLines(terminal.stdout, [errorJson(failure.error)])
    else say(failure.text)
    return failure.exitCode
  }
}

function failureOf(error: unknown, { env }: Terminal) {
  if (error instanceof Interrupted) return { text: error.message, exitCode: error.exitCode }
  if (error instanceof NetworkError) {
    const note = error.cause instanceof ProxyRefusal ? '' : proxyNote(error.url, env)
    const problem = error.message
      .replace('Check the URL.', 'Check --url.')
      .replace(/connection refused$/, '$&. Is the service running?')
    const message = note === '' ? problem : `${problem.replace(/\.$/, '')}.${note}`
    return { text: message, exitCode: EXIT.usage, error: { code: 'service_unreachable', message } }
  }
  if (error instanceof ApiError) {
    const { status, code, param, requestId } = error
    const hint = code === 'route_not_found' ? ' Check the path of --url.' : ''
    const message = error.message.replace('Check the URL.', 'Check --url.') + hint
    return {
      text: `${message} (${code}, ${requestId || `status ${status}`})`,
      exitCode: EXIT.refused,
      error: { code, message, param, http_status: status, request_id: requestId },
    }
  }
  return undefined
}
