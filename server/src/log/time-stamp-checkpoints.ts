import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/logger.ts'
import { askAuthority, type TimeStampAuthorities } from './ask-authorities.ts'
import type { SignedHead } from './ask-witness.ts'

export interface TimeStampingOptions {
  readonly authorities: TimeStampAuthorities
  readonly clock: Clock
  readonly requestTimeoutMs?: number
  readonly firstRetryMs?: number
  readonly log: Log
}

/** Has checkpoints stamped, by the first authority that does. One request at a time. */
export interface TimeStamping {
  isDue(head: SignedHead): boolean
  /** The checkpoint is stamped already. */
  skip(head: SignedHead): void
  /** Resolves when the checkpoint is stamped, or no authority did it. */
  stamp(head: SignedHead, onStamped: (timeStamp: Uint8Array) => void | Promise<void>): Promise<void>
  stop(): Promise<void>
}

interface Authority {
  readonly url: string
  failures: number
  /** By the monotonic clock. */
  retryAt: number
  problem: string | undefined
}

const REQUEST_TIMEOUT_MS = 5000
const FIRST_RETRY_MS = 1000
/** An authority that hangs is left out for this long, so that the next one can answer in time. */
const LAST_RETRY_MS = 60_000

export function timeStamping(options: TimeStampingOptions): TimeStamping {
  const { clock, log } = options
  const { urls, roots } = options.authorities
  const authorities = urls.map((url): Authority => ({ url, failures: 0, retryAt: 0, problem: undefined }))
  const stopping = new AbortController()
  let stampedSize = -1
  let running: Promise<void> | undefined

  const available = (): readonly Authority[] =>
    authorities.filter(({ retryAt }) => performance.now() >= retryAt)

  async function tryAll(head: SignedHead): Promise<Uint8Array | undefined> {
    for (const authority of available()) {
      const timeout = AbortSignal.timeout(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
      const signal = AbortSignal.any([stopping.signal, timeout])
      const answer = await askAuthority(authority.url, head, { roots, now: () => clock.now(), signal })
      if (answer.is === 'stamped') {
        Object.assign(authority, { failures: 0, problem: undefined })
        return answer.timeStamp
      }
      if (stopping.signal.aborted) return undefined
      reportFailure(authority, answer.problem)
    }
    return undefined
  }

  function reportFailure(authority: Authority, problem: string): void {
    const pauseMs = (options.firstRetryMs ?? FIRST_RETRY_MS) * 2 ** authority.failures
    authority.retryAt = performance.now() + Math.min(LAST_RETRY_MS, pauseMs)
    authority.failures += 1
    if (problem !== authority.problem)
      log.warn({}, `the time-stamp authority ${authority.url} did not stamp the checkpoint: ${problem}`)
    authority.problem = problem
  }

  return {
    isDue: ({ size }) => stampedSize !== size && running === undefined && available().length > 0,
    skip: ({ size }) => void (stampedSize = size),
    stamp(head, onStamped) {
      running = tryAll(head)
        .then((timeStamp) => {
          if (timeStamp === undefined) return undefined
          stampedSize = head.size
          return onStamped(timeStamp)
        })
        .catch((error: unknown) => log.error({ err: error }, 'cannot have the checkpoint time-stamped'))
        .finally(() => (running = undefined))
      return running
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
