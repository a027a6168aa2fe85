import { ApiError, NetworkError, RedirectError } from './errors.ts'
import type { Surroundings } from './surroundings.ts'

export interface RetryPolicy {
  /** How often a call is made in all, if nothing of it gets through; 1 is no retry. */
  readonly attempts: number
  /** The longest first wait; it doubles with each attempt. */
  readonly baseMs: number
  /** The longest wait of all. A service that asks for more than this gets no retry: the caller is told. */
  readonly capMs: number
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void
}

export interface Retry {
  readonly error: ApiError | NetworkError
  /** The attempt that failed, counted from 1. */
  readonly attempt: number
  readonly waitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 5, baseMs: 500, capMs: 30_000 }

/** Too early, too many, or a fault that passes. Everything else stays as it is however often it is asked. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Repeats what may be repeated: safe calls, and those that carry an Idempotency-Key. `attempt` is given a function that
 * it calls when it has got further than before; the count then starts over.
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  surroundings: Surroundings,
  signal: AbortSignal | undefined,
  attempt: (gotFurther: () => void) => Promise<T>,
): Promise<T> {
  let failed = 0
  const gotFurther = (): void => {
    failed = 0
  }
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await attempt(gotFurther)
    } catch (error) {
      signal?.throwIfAborted()
      failed++
      if (!isPassing(error) || failed >= policy.attempts) throw error
      const waitMs = waitBeforeRetry(error, failed, policy, surroundings)
      if (waitMs === undefined) throw error
      policy.onRetry?.({ error, attempt: failed, waitMs })
      await surroundings.wait(waitMs, signal)
    }
  }
}

/** A cut upload counts as under way until the service notices, and its sender tries again sooner than that. */
const UNDER_WAY = 'upload_in_progress'

function isPassing(error: unknown): error is ApiError | NetworkError {
  if (error instanceof NetworkError) return !(error instanceof RedirectError)
  return error instanceof ApiError && (PASSING.has(error.status) || error.code === UNDER_WAY)
}

/** Full jitter: anything up to the exponential limit, on top of what the service asks for. */
function waitBeforeRetry(
  error: ApiError | NetworkError,
  failed: number,
  { baseMs, capMs }: RetryPolicy,
  { random }: Surroundings,
): number | undefined {
  const jitterMs = random() * Math.min(capMs, baseMs * 2 ** (failed - 1))
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined
  if (askedMs === undefined) return jitterMs
  return askedMs > capMs ? undefined : askedMs + Math.min(jitterMs, baseMs)
}

/** `Retry-After` in either of its forms, in milliseconds from now. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - nowMs)
}
