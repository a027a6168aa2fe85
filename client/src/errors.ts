import type { VerificationReport } from '@kitseal/kit'
import type { ErrorCode } from './api-types.generated.ts'

/** A documented code, or `answer_not_understood` for a response that is not from kitseal. Newer services may add codes. */
export type ApiErrorCode = ErrorCode | 'answer_not_understood' | (string & {})

/**
 * The service returned an error.
 *
 * @example
 * ```ts
 * import { ApiError, createClient } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * try {
 *   await client.getSubmission('sub_unknown')
 * } catch (error) {
 *   if (!(error instanceof ApiError) || error.code !== 'submission_not_found') throw error
 *   console.log(error.status, error.message, error.requestId)
 * }
 * ```
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ApiErrorCode
  /** The values in the message, to say it in another language. */
  readonly args: Readonly<Record<string, string | number>>
  /** What the error is about, such as `items[2].title`, `limit` or `Idempotency-Key`. */
  readonly param: string | undefined
  /** Identifies the request in the service's log. Empty if the response did not come from the service. */
  readonly requestId: string
  /** From `Retry-After`, if the response has it. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    details: Pick<ApiError, 'status' | 'code' | 'requestId'> &
      Partial<Pick<ApiError, 'args' | 'param' | 'retryAfterMs'>>,
  ) {
    super(message)
    this.status = details.status
    this.code = details.code
    this.args = details.args ?? {}
    this.param = details.param
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}

/**
 * There was no response, or an incomplete one: connection refused or lost, timeout, redirect.
 *
 * @example
 * ```ts
 * import { createClient, NetworkError } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:2', retry: { attempts: 1 } })
 * try {
 *   await client.getKeys()
 * } catch (error) {
 *   if (!(error instanceof NetworkError)) throw error
 *   console.log(error.message) // GET http://127.0.0.1:2/.well-known/jwks.json: connection refused
 * }
 * ```
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly method: string
  readonly url: string
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean

  constructor(method: string, url: string, reason: string, cause?: unknown, isTransient = true) {
    super(`${method} ${url}: ${reason}`, cause === undefined ? undefined : { cause })
    this.method = method
    this.url = url
    this.isTransient = isTransient && !isCertificateError(cause)
  }
}

/** For a URL that redirects. The client does not follow redirects. */
export function redirected(method: string, url: string, location: string | null): NetworkError {
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
  const isElsewhere = target !== undefined && target.origin !== new URL(url).origin
  const reason = isElsewhere
    ? `redirects to ${target.origin}. Use that URL instead.`
    : 'redirects. Check the URL.'
  return new NetworkError(method, url, reason, undefined, false)
}

/** True if a fetch failed because of the server's certificate. Waiting does not help. */
function isCertificateError(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /(?:^|_)CERT(?:_|$)|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/.test(code)
}

/**
 * A downloaded kit failed verification and was discarded.
 *
 * @example
 * ```ts
 * import { createClient, NO_TRUST, NotVerifiedError } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example' })
 * try {
 *   await client.downloadKit(process.env.KIT_ID ?? '', { trust: NO_TRUST })
 * } catch (error) {
 *   if (!(error instanceof NotVerifiedError)) throw error
 *   console.log(error.report.errors) // signer_not_trusted: …
 * }
 * ```
 */
export class NotVerifiedError extends Error {
  override readonly name = 'NotVerifiedError'
  readonly report: VerificationReport

  constructor(kitId: string, report: VerificationReport) {
    const [first = 'unknown reason', ...more] = report.errors
    super(`${kitId} failed verification: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`)
    this.report = report
  }
}

/** Why a fetch failed. Its own message is only "fetch failed". */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  if (typeof code === 'string' && code in REASONS) return REASONS[code as keyof typeof REASONS]
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'timeout'
  const message = cause instanceof Error ? cause.message : String(cause)
  return message === '' ? 'connection failed' : message
}

const WITHOUT_TLS = 'the server answers without TLS. Its URL begins with http://'

const REASONS = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  EPIPE: 'connection lost',
  EPROTO: WITHOUT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: WITHOUT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: WITHOUT_TLS,
  HPE_INVALID_CONSTANT: 'the server does not answer in HTTP. If it uses TLS, the URL begins with https://',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout while connecting',
  UND_ERR_HEADERS_TIMEOUT: 'timeout while waiting for the response',
  UND_ERR_BODY_TIMEOUT: 'timeout while reading the response',
} as const
