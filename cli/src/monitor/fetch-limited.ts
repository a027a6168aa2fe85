import { setTimeout as sleep } from 'node:timers/promises'
import { describeError } from '../input-error.ts'
import { readBody } from '../read-body.ts'
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
      return await fetchOnce(url, limitBytes, timeoutMs, signal)
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

async function fetchOnce(
  url: string,
  limitBytes: number,
  timeoutMs: number,
  interrupted: AbortSignal,
): Promise<Uint8Array | undefined> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, interrupted, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers: { 'cache-control': 'no-cache' } })
    if (response.status === 404) return undefined
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status === 429 && seconds >= 0)
      throw new RateLimited(url, Math.min(seconds * 1000, LONGEST_PAUSE_MS))
    if (!response.ok) throw new LogAlert('log_unreachable', `${url} returned ${response.status}`)
    const tooLarge = () => new LogAlert('log_invalid', `${url} returned more than ${limitBytes} bytes`)
    return await readBody(response, limitBytes, tooLarge)
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}

/** The log asks for a pause (429 with Retry-After). */
class RateLimited extends LogAlert {
  readonly waitMs: number

  constructor(url: string, waitMs: number) {
    super('log_unreachable', `${url} returned 429`)
    this.waitMs = waitMs
  }
}
