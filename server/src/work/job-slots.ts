import { type ClaimedJob, FIRST_TURN, type Turn, turnOf } from './leases.ts'

/**
 * Runs jobs concurrently, but retries alone: a job that did not finish may crash the process, and other running jobs
 * would lose an attempt with it.
 */
export interface JobSlots {
  /**
   * Claims are serialized, and know whose turn it was before. Jobs that are claimed together are started one by one, the
   * retry last. Undefined if no job is waiting.
   */
  claim(claimNext: (after: Turn) => Promise<readonly ClaimedJob[]>): Promise<RunningJob | undefined>
  /** Jobs that were claimed at least this long ago and did not start. They will not start any more. */
  takeBack(claimedMs: number): readonly ClaimedJob[]
  /** Whether claimed jobs wait to be started. */
  readonly hasMore: boolean
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
  let waiting: readonly (ClaimedJob & { readonly atMs: number })[] = []

  /** Returns the function that releases the lock. */
  const lockClaims = async (): Promise<() => void> => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const before = claimLock
    claimLock = released
    await before
    return release
  }

  const take = async (
    claimNext: (after: Turn) => Promise<readonly ClaimedJob[]>,
  ): Promise<ClaimedJob | undefined> => {
    if (waiting.length === 0) {
      const claimed = await claimNext(turn)
      turn = claimed.length === 0 ? turn : turnOf(claimed.at(-1)!)
      const atMs = performance.now()
      waiting = claimed
        .toSorted((a, b) => Number(isRetry(a)) - Number(isRetry(b)))
        .map(({ job, lease }) => ({ job, lease, atMs }))
    }
    const [next, ...rest] = waiting
    waiting = rest
    return next
  }

  return {
    claim: async (claimNext) => {
      const releaseLock = await lockClaims()
      let isAlone = false
      try {
        const claimed = await take(claimNext)
        if (claimed === undefined) return undefined
        isAlone = isRetry(claimed)
        const others = [...running]
        const { promise: ended, resolve: end } = Promise.withResolvers<void>()
        running.add(ended)
        return {
          claimed,
          canStart: async () => void (isAlone && (await Promise.all(others))),
          [Symbol.dispose]: () => {
            running.delete(ended)
            end()
            releaseLock()
          },
        }
      } finally {
        if (!isAlone) releaseLock()
      }
    },
    takeBack(claimedMs) {
      const now = performance.now()
      const late = waiting.filter(({ atMs }) => now - atMs >= claimedMs)
      waiting = waiting.filter((each) => !late.includes(each))
      return late
    },
    get hasMore() {
      return waiting.length > 0
    },
  }
}

const isRetry = ({ job }: ClaimedJob): boolean => job.attempts > 1
