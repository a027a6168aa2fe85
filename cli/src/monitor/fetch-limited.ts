import { setTimeout as sleep } from 'node:timers/promises'
import { fetchBody } from '../fetch-body.ts'
import { describeError } from '../input-error.ts'
import { LogAlert } from './alert.ts'

const ATTEMPTS = 3
const FIRST_WAIT_MS = 300
/** A log that limits its rate is obeyed for about ten minutes. */
const PAUSES = 10
const LONGEST_PAUSE_MS = 60_000

export interface FetchSettings {
  /** For one attempt, with its body. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Downloads at most `limitBytes`, with retries. Undefined for 404. Throws LogAlert. */
export async function fetchLimited(
  url: string,
  limitBytes: number,
  { timeoutMs, signal }: FetchSettings,
): Promise<Uint8Array | undefined> {
  for (let attempt = 1, pauses = 0; ; attempt++) {
    let waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
    try {
      return await fetchBody(url, {
        limitBytes,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: { 'cache-control': 'no-cache' },
        tooLarge: () => new LogAlert('log_invalid', `${url} returned more than ${limitBytes} bytes`),
        refused: (response) => refused(url, response),
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LogAlert && error.code !== 'log_unreachable') throw error
      if (error instanceof RateLimited && pauses < PAUSES) {
        pauses++
        attempt--
        waitMs = error.waitMs
      }
      const problem =
        error instanceof LogAlert ? error.message : `cannot read ${url}: ${describeError(error)}`
      if (attempt === ATTEMPTS) throw new LogAlert('log_unreachable', problem)
    }
    await sleep(waitMs, undefined, { signal })
  }
}

function refused(url: string, { status, headers }: Response): LogAlert {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return status === 429 && seconds >= 0
    ? new RateLimited(url, Math.min(seconds * 1000, LONGEST_PAUSE_MS))
    : new LogAlert('log_unreachable', `${url} returned ${status}`)
}

/** The log asks for a pause (429 with Retry-After). */
class RateLimited extends LogAlert {
  readonly waitMs: number

  constructor(url: string, waitMs: number) {
    super('log_unreachable', `${url} returned 429`)
    this.waitMs = waitMs
  }
}
