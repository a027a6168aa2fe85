import type { VerificationReport } from '@kitseal/kit'

/** The service answered, and refused. `code` is one of the documented error codes. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Names the request in the log of the service; empty where the answer did not come from it. */
  readonly requestId: string
  /** How long the service asks to wait; undefined where it does not say. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    details: {
      readonly status: number
      readonly code: string
      readonly requestId: string
      readonly retryAfterMs?: number | undefined
    },
  ) {
    super(message)
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}

/** No answer, or half of one: the connection could not be made, was cut, or fell silent. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly method: string
  readonly url: string

  constructor(method: string, url: string, why: string, cause?: unknown) {
    super(`${method} ${url}: ${why}`, cause === undefined ? undefined : { cause })
    this.method = method
    this.url = url
  }
}

/** Something else than the service answers there, and names another address. It was not followed. */
export class RedirectError extends NetworkError {
  constructor(method: string, url: string, location: string | null) {
    const place = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
    const elsewhere =
      place === undefined || place.origin === new URL(url).origin ? 'elsewhere' : `to ${place.origin}`
    super(method, url, `this address redirects ${elsewhere}: use the one that it leads to`)
  }
}

/** What was downloaded did not pass verification. It was not handed over. */
export class NotVerifiedError extends Error {
  override readonly name = 'NotVerifiedError'
  readonly report: VerificationReport

  constructor(what: string, report: VerificationReport) {
    const [first = 'it did not pass', ...more] = report.errors
    super(`${what} was not verified: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`)
    this.report = report
  }
}

/** Why a fetch failed, in words: its own message says only that it did. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  if (typeof code === 'string' && code in REASONS) return REASONS[code as keyof typeof REASONS]
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'no answer came in time'
  const message = cause instanceof Error ? cause.message : String(cause)
  return message === '' ? 'the connection failed' : message
}

const REASONS = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ETIMEDOUT: 'no answer came in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer came in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the connection fell silent',
} as const
