import { ApiError, NetworkError, networkReason, RedirectError } from './errors.ts'
import type { Platform } from './platform.ts'
import { type RetryPolicy, retryAfterMs } from './retry.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** How to reach the service. */
export interface Transport {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Whether `fetch` is the global one. Browsers then upload with XMLHttpRequest, which reports progress. */
  readonly isGlobalFetch: boolean
  readonly apiKey: string | undefined
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly traceparent: string | undefined
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly platform: Platform
}

/** The maximum of a timer. For uploads, which the caller can abort. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob | ReadableStream<Uint8Array>
  readonly signal?: AbortSignal | undefined
}

export interface JsonResponse<Data> {
  readonly data: Data
  readonly headers: Headers
}

/** Sends a request once. Throws an ApiError for an error status and a NetworkError if there is no response. */
export async function send(transport: Transport, request: ApiRequest): Promise<Response> {
  const { method, path, body, signal } = request
  const url = transport.baseUrl + path
  let response: Response
  try {
    response = await transport.fetch(url, {
      method,
      headers: requestHeaders(transport, request),
      // Following a redirect could send the API key to another host.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit)
  } catch (error) {
    throw toNetworkError(error, method, url, signal)
  }
  if (response.ok) return response
  if (isRedirect(response)) throw new RedirectError(method, url, response.headers.get('location'))
  const text = await response.text().catch((error: unknown) => {
    throw toNetworkError(error, method, url, signal)
  })
  throw toApiError(url, response.status, text, response.headers, transport.platform.now())
}

/** Sends a request once and parses the JSON response, if it has a body. The timeout includes reading the body. */
export async function sendForJson<Data>(
  transport: Transport,
  request: ApiRequest,
  isExpected: (data: unknown) => boolean = isFromKitseal,
): Promise<JsonResponse<Data>> {
  const { method } = request
  const url = transport.baseUrl + request.path
  const timeout = AbortSignal.timeout(transport.timeoutMs)
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout])
  try {
    const response = await send(transport, { ...request, signal })
    const text = await response.text().catch((error: unknown) => {
      throw toNetworkError(error, method, url, signal)
    })
    const data = response.status === 204 ? (undefined as Data) : parse<Data>(url, text, response, isExpected)
    return { data, headers: response.headers }
  } catch (error) {
    if (!timeout.aborted || request.signal?.aborted === true) throw error
    throw new NetworkError(method, url, `no response within ${transport.timeoutMs / 1000} s`, error)
  }
}

export function requestHeaders(transport: Transport, { headers }: ApiRequest): Record<string, string> {
  return {
    accept: 'application/json',
    ...transport.headers,
    ...(transport.apiKey === undefined ? {} : { 'x-api-key': transport.apiKey }),
    ...(transport.traceparent === undefined ? {} : { traceparent: transport.traceparent }),
    ...headers,
  }
}

/** Returns the signal's reason if the caller aborted the request. */
export function toNetworkError(
  error: unknown,
  method: string,
  url: string,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted === true) return signal.reason
  return error instanceof NetworkError ? error : new NetworkError(method, url, networkReason(error), error)
}

/** Browsers hide the status and the location of a redirect. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

/** An ApiError from an error response of the service, or of a proxy or another server. */
export function toApiError(
  url: string,
  status: number,
  body: string,
  headers: Pick<Headers, 'get'>,
  nowMs: number,
): ApiError {
  const error = parseErrorResponse(body)
  return new ApiError(error?.message ?? `${url} returned ${status}. ${IS_THIS_KITSEAL}`, {
    status,
    code: error?.code ?? 'answer_not_understood',
    param: error?.param,
    requestId: error?.request_id ?? headers.get('x-request-id') ?? '',
    retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
  })
}

const IS_THIS_KITSEAL = 'Is this a kitseal service? Check the URL.'

interface ParsedError {
  readonly code: string
  readonly message: string
  readonly request_id: string
  readonly param: string | undefined
}

function parseErrorResponse(body: string): ParsedError | undefined {
  try {
    const { code, message, request_id, param } = JSON.parse(body) as Record<string, unknown>
    if (typeof code !== 'string' || typeof message !== 'string' || typeof request_id !== 'string')
      return undefined
    return { code, message, request_id, param: typeof param === 'string' ? param : undefined }
  } catch {
    return undefined
  }
}

function parse<Data>(
  url: string,
  text: string,
  { status, headers }: Response,
  isExpected: (data: unknown) => boolean,
): Data {
  const unexpected = (what: string): ApiError =>
    new ApiError(`${url} returned ${what}. ${IS_THIS_KITSEAL}`, {
      status,
      code: 'answer_not_understood',
      requestId: headers.get('x-request-id') ?? '',
    })
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw unexpected('a response that is not JSON')
  }
  if (!isExpected(data)) throw unexpected('an unexpected response')
  return data as Data
}

/** Every JSON response of the service has a `boundary`, except the key set, whose format is a standard. */
function isFromKitseal(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  const { boundary, keys } = data as { readonly boundary?: unknown; readonly keys?: unknown }
  return typeof boundary === 'string' || Array.isArray(keys)
}
