import { ApiError, isCertificateError, NetworkError, RedirectError } from './errors.ts'
import type { Platform } from './platform.ts'

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
  policy: RetryPolicy,
  platform: Platform,
  signal: AbortSignal | undefined,
  attempt: (onProgress: () => void) => Promise<T>,
): Promise<T> {
  let failures = 0
  const onProgress = (): void => {
    failures = 0
  }
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await attempt(onProgress)
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
  if (error instanceof NetworkError)
    return !(error instanceof RedirectError) && !isCertificateError(error.cause)
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
