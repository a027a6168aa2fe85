// docs/decisions/0320
import { type ClaimedJob, FIRST_TURN, type Turn, turnOf } from './leases.ts'

/**
 * Runs jobs concurrently, but retries alone: a job that did not finish may crash the process, and other running jobs
 * would lose an attempt with it.
 */
export interface JobSlots {
  /** Claims are serialized, and know whose turn it was before. Undefined if no job is waiting. */
  claim(claimNext: (after: Turn) => Promise<ClaimedJob | undefined>): Promise<RunningJob | undefined>
}

export interface RunningJob extends Disposable {
  readonly claimed: ClaimedJob
  /** Resolves immediately, or for a retry when all running jobs have finished. */
  canStart(): Promise<void>
}

export function jobSlots(): JobSlots {
  let claimLock: Promise<void> = Promise.resolve()
  const running = new Set<Promise<void>>()
  let turn = FIRST_TURN

  /** Returns the function that releases the lock. */
  const lockClaims = async (): Promise<() => void> => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const before = claimLock
    claimLock = released
    await before
    return release
  }

  return {
    claim: async (claimNext) => {
      const releaseLock = await lockClaims()
      let isRetry = false
      try {
        const claimed = await claimNext(turn)
        if (claimed === undefined) return undefined
        turn = turnOf(claimed)
        isRetry = claimed.job.attempts > 1
        const others = [...running]
        const { promise: ended, resolve: end } = Promise.withResolvers<void>()
        running.add(ended)
        return {
          claimed,
          canStart: async () => void (isRetry && (await Promise.all(others))),
          [Symbol.dispose]: () => {
            running.delete(ended)
            end()
            releaseLock()
          },
        }
      } finally {
        if (!isRetry) releaseLock()
      }
    },
  }
}
