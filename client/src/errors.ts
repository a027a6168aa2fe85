import type { VerificationReport } from '@kitseal/kit'
import type { ErrorCode, Submission } from './api-types.generated.ts'
import {
  type ExpiredSubmission,
  type FailedSubmission,
  type Waiting,
  waitingText,
} from './submission-states.ts'

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
    details: {
      readonly status: number
      readonly code: ApiErrorCode
      readonly args?: Readonly<Record<string, string | number>>
      readonly param?: string | undefined
      readonly requestId: string
      readonly retryAfterMs?: number | undefined
    },
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

  constructor(method: string, url: string, reason: string, cause?: unknown) {
    super(`${method} ${url}: ${reason}`, cause === undefined ? undefined : { cause })
    this.method = method
    this.url = url
  }
}

/** The URL redirects. The client does not follow redirects. */
export class RedirectError extends NetworkError {
  constructor(method: string, url: string, location: string | null) {
    const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
    const isElsewhere = target !== undefined && target.origin !== new URL(url).origin
    super(
      method,
      url,
      isElsewhere ? `redirects to ${target.origin}. Use that URL instead.` : 'redirects. Check the URL.',
    )
  }
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

/**
 * There is no kit: the evidence failed its checks, or the submission expired. `blockers` says what to change.
 *
 * @example
 * ```ts
 * import { createClient, NotSealedError, trustKeys } from '@kitseal/client'
 * import { seal } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * try {
 *   await seal('evidence', { client, name: 'Access review', trust: trustKeys(await client.getKeys()) })
 * } catch (error) {
 *   if (!(error instanceof NotSealedError)) throw error
 *   for (const { code, path, remedy } of error.blockers) console.log(code, path, remedy)
 * }
 * ```
 */
export class NotSealedError extends Error {
  override readonly name = 'NotSealedError'
  readonly submissionId: string
  readonly status: 'FAIL' | 'EXPIRED'
  readonly blockers: Submission['blockers']

  constructor({ submission_id, status, blockers }: FailedSubmission | ExpiredSubmission) {
    const shown = blockers
      .slice(0, BLOCKERS_SHOWN)
      .map(({ code, path, message }) => `${path ?? code}: ${message}`)
    const more = blockers.length > shown.length ? [`and ${blockers.length - shown.length} more`] : []
    super([`${submission_id} is ${status}`, ...shown, ...more].join('\n  '))
    this.submissionId = submission_id
    this.status = status
    this.blockers = blockers
  }
}

const BLOCKERS_SHOWN = 5

/**
 * The result did not come within `timeoutMs`. Wait again to continue.
 *
 * @example
 * ```ts
 * import { createClient, WaitTimeout } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review, third quarter' })
 * try {
 *   await client.waitForResult(submission_id, { timeoutMs: 100 })
 * } catch (error) {
 *   if (!(error instanceof WaitTimeout)) throw error
 *   console.log(error.status, error.waiting?.reason) // PENDING evidence
 * }
 * ```
 */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  /** The submission or the job. */
  readonly id: string
  /** The last status seen. */
  readonly status: string
  /** What the submission waits for, if the service says so. */
  readonly waiting: Waiting | undefined

  constructor(id: string, timeoutMs: number, status: string, waiting?: Waiting) {
    super(
      `${id} is still ${status} after ${timeoutMs / 1000} s${waiting === undefined ? '' : `: ${waitingText(waiting)}`}`,
    )
    this.id = id
    this.status = status
    this.waiting = waiting
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

/** True if a fetch failed because of the server's certificate. Waiting does not help. */
export function isCertificateError(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /(?:^|_)CERT(?:_|$)|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/.test(code)
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
