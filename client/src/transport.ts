import { ApiError, NetworkError, networkReason, redirected } from './errors.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** How to reach the service. */
export interface Transport {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly platform: Platform
}

/** The maximum of a timer. For uploads, which the caller can abort. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
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
      headers: { accept: 'application/json', ...transport.headers, ...request.headers },
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
  if (isRedirect(response)) throw redirected(method, url, response.headers.get('location'))
  const text = await response.text().catch((error: unknown) => {
    throw toNetworkError(error, method, url, signal)
  })
  throw toApiError(url, response.status, text, response.headers, transport.platform.now())
}

/** Sends a request once and parses the JSON response, if it has a body. The timeout includes reading the body. */
export async function sendForJson<Data>(
  transport: Transport,
  request: ApiRequest,
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
    const data = response.status === 204 ? (undefined as Data) : parse<Data>(url, text, response)
    return { data, headers: response.headers }
  } catch (error) {
    if (!timeout.aborted || request.signal?.aborted === true) throw error
    throw new NetworkError(method, url, `no response within ${transport.timeoutMs / 1000} s`, error)
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
  const wait = { retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs) }
  if (error === undefined) return notFromKitseal(url, String(status), status, headers, wait)
  const { message, ...details } = error
  return new ApiError(message, { ...details, ...wait, status })
}

/** For a response that another server sent, or a proxy. */
function notFromKitseal(
  url: string,
  what: string,
  status: number,
  headers: Pick<Headers, 'get'>,
  more: { readonly retryAfterMs?: number | undefined } = {},
): ApiError {
  return new ApiError(`${url} returned ${what}. Is this a kitseal service? Check the URL.`, {
    status,
    code: 'answer_not_understood',
    requestId: headers.get('x-request-id') ?? '',
    ...more,
  })
}

function parseErrorResponse(body: string) {
  try {
    const { code, message, args, request_id, param } = JSON.parse(body) as Record<string, unknown>
    if (typeof code !== 'string' || typeof message !== 'string' || typeof request_id !== 'string')
      return undefined
    return {
      code,
      message,
      args: valuesOf(args),
      requestId: request_id,
      param: typeof param === 'string' ? param : undefined,
    }
  } catch {
    return undefined
  }
}

/** Text and numbers. Anything else is no value of a message. */
const valuesOf = (args: unknown): ApiError['args'] =>
  Object.fromEntries(
    Object.entries(args ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  )

function parse<Data>(url: string, text: string, { status, headers }: Response): Data {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw notFromKitseal(url, 'a response that is not JSON', status, headers)
  }
  if (!isFromKitseal(data)) throw notFromKitseal(url, 'an unexpected response', status, headers)
  return data as Data
}

/** Every JSON response of the service has a `boundary`, except the key set, whose format is a standard. */
function isFromKitseal(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  const { boundary, keys } = data as { readonly boundary?: unknown; readonly keys?: unknown }
  return typeof boundary === 'string' || Array.isArray(keys)
}

/** Clock, timer and chance. Tests replace them. */
export interface Platform {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** 0 ≤ x < 1. */
  random(): number
}

export const systemPlatform: Platform = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
      return undefined
    }),
}

export interface RetryPolicy {
  /** Maximum number of attempts without progress; 1 disables retries. */
  readonly attempts: number
  /** Maximum delay before the second attempt; it doubles with each further one. */
  readonly baseMs: number
  /** Maximum delay. If the service asks for more with `Retry-After`, the error is thrown instead. */
  readonly capMs: number
  /** Called before each delay. */
  readonly onRetry?: (retry: Retry) => void
}

export interface Retry {
  readonly error: ApiError | NetworkError
  /** The attempt that failed, counted from 1. */
  readonly attempt: number
  readonly waitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 5, baseMs: 500, capMs: 30_000 }

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Retries transient errors. Use it only for requests that are safe to repeat or carry an Idempotency-Key. `attempt` calls
 * its argument when it makes progress, which resets the number of attempts.
 */
export async function withRetries<T>(
  { retry: policy, platform }: Pick<Transport, 'retry' | 'platform'>,
  signal: AbortSignal | undefined,
  attempt: (onProgress: () => void) => Promise<T>,
): Promise<T> {
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await attempt(() => void (failures = 0))
    } catch (error) {
      signal?.throwIfAborted()
      failures++
      if (!isTransient(error) || failures >= policy.attempts) throw error
      const waitMs = retryDelayMs(error, failures, policy, platform)
      if (waitMs === undefined) throw error
      policy.onRetry?.({ error, attempt: failures, waitMs })
      await platform.wait(waitMs, signal)
    }
  }
}

function isTransient(error: unknown): error is ApiError | NetworkError {
  if (error instanceof NetworkError) return error.isTransient
  if (!(error instanceof ApiError)) return false
  // The service may not have noticed yet that the previous upload was interrupted.
  return TRANSIENT_STATUSES.has(error.status) || error.code === 'upload_in_progress'
}

/** Exponential backoff with full jitter, added to `Retry-After`. Undefined if that exceeds the cap. */
function retryDelayMs(
  error: ApiError | NetworkError,
  failures: number,
  { baseMs, capMs }: RetryPolicy,
  { random }: Platform,
): number | undefined {
  const jitterMs = random() * Math.min(capMs, baseMs * 2 ** (failures - 1))
  const requestedMs = error instanceof ApiError ? error.retryAfterMs : undefined
  if (requestedMs === undefined) return jitterMs
  return requestedMs > capMs ? undefined : requestedMs + Math.min(jitterMs, baseMs)
}

/** Parses `Retry-After`, in seconds or as a date, to milliseconds from now. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - nowMs)
}
