import { ApiError, NetworkError, networkReason, RedirectError } from './errors.ts'
import { type RetryPolicy, retryAfterMs } from './retry.ts'
import type { Surroundings } from './surroundings.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** How requests leave and answers arrive. One attempt each: who may be repeated is decided above. */
export interface Transport {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Whether `fetch` is the platform's own, so that a page may use XMLHttpRequest in its place. */
  readonly isPlatformFetch: boolean
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly surroundings: Surroundings
}

/** The longest that a timer can be: an upload takes as long as it takes, and its caller can abort it. */
export const NO_LIMIT_MS = 2 ** 31 - 1

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob | ReadableStream<Uint8Array>
  /** The body is a stream: it leaves before the answer comes. */
  readonly streams?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Sends a request; an answer that is no success becomes an ApiError, and none at all a NetworkError. */
export async function send(transport: Transport, request: ApiRequest): Promise<Response> {
  const { method, path, signal } = request
  const url = transport.baseUrl + path
  let response: Response
  try {
    response = await transport.fetch(url, {
      method,
      headers: headersOf(transport, request),
      // Followed, a redirect could carry the API key to another host.
      redirect: 'manual',
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.streams === true ? { duplex: 'half' } : {}),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit)
  } catch (error) {
    throw asNetworkError(error, method, url, signal)
  }
  if (response.ok) return response
  if (isRedirect(response)) throw new RedirectError(method, url, response.headers.get('location'))
  throw await refusal(response, method, url, transport.surroundings.now(), signal)
}

/** Sends a request and reads its JSON, all of it within the time limit. */
export async function sendForJson<Answer>(
  transport: Transport,
  request: ApiRequest,
): Promise<{ readonly answer: Answer; readonly headers: Headers }> {
  const { method, path } = request
  const limit = AbortSignal.timeout(transport.timeoutMs)
  const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit])
  try {
    const response = await send(transport, { ...request, signal })
    const text = await response.text().catch((error: unknown) => {
      throw asNetworkError(error, method, transport.baseUrl + path, signal)
    })
    return { answer: parse<Answer>(text, response), headers: response.headers }
  } catch (error) {
    if (!limit.aborted || request.signal?.aborted === true) throw error
    const seconds = transport.timeoutMs / 1000
    throw new NetworkError(method, transport.baseUrl + path, `no answer came within ${seconds} s`, error)
  }
}

export function headersOf(transport: Transport, { headers }: ApiRequest): Record<string, string> {
  return {
    accept: 'application/json',
    ...(transport.apiKey === undefined ? {} : { 'x-api-key': transport.apiKey }),
    ...headers,
  }
}

/** What the caller aborted is thrown as the caller's own reason. */
export function asNetworkError(
  error: unknown,
  method: string,
  url: string,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted === true) return signal.reason
  return error instanceof NetworkError ? error : new NetworkError(method, url, networkReason(error), error)
}

/** A page is not told the status of a redirect, nor where it leads. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

async function refusal(
  response: Response,
  method: string,
  url: string,
  nowMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    return apiError(response.status, await response.text(), response.headers, nowMs)
  } catch (error) {
    return asNetworkError(error, method, url, signal)
  }
}

/** The service's own words; or the status alone where something between has answered in its place. */
export function apiError(
  status: number,
  body: string,
  headers: Pick<Headers, 'get'>,
  nowMs: number,
): ApiError {
  const said = errorResponse(body)
  return new ApiError(said?.message ?? `The answer was ${status}, and not in the service's own words.`, {
    status,
    code: said?.code ?? 'answer_not_understood',
    requestId: said?.request_id ?? headers.get('x-request-id') ?? '',
    retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
  })
}

function errorResponse(body: string): { code: string; message: string; request_id: string } | undefined {
  try {
    const { code, message, request_id } = JSON.parse(body) as Record<string, unknown>
    if (typeof code !== 'string' || typeof message !== 'string' || typeof request_id !== 'string')
      return undefined
    return { code, message, request_id }
  } catch {
    return undefined
  }
}

function parse<Answer>(text: string, response: Response): Answer {
  const notUnderstood = (why: string): ApiError =>
    new ApiError(`The answer was ${response.status}, and is ${why}`, {
      status: response.status,
      code: 'answer_not_understood',
      requestId: response.headers.get('x-request-id') ?? '',
    })
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw notUnderstood('not JSON.')
  }
  if (!isOfService(answer)) throw notUnderstood('none of a kitseal service: is this its address?')
  return answer as Answer
}

/** Everything that the service answers says what it does not prove, except its keys, whose form is not its own. */
function isOfService(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  const { boundary, keys } = answer as { readonly boundary?: unknown; readonly keys?: unknown }
  return typeof boundary === 'string' || Array.isArray(keys)
}
