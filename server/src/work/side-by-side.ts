// docs/decisions/0320
import type { ClaimedJob } from './leases.ts'

/**
 * Jobs are worked on side by side. One that was begun before and did not come to its end may bring the whole process
 * down: it is worked on alone, and nothing is claimed meanwhile, so that no other job loses an attempt with it.
 */
export interface SideBySide {
  /** Claims in turn with the others. Undefined where there is nothing to do. */
  claim(claimNext: () => Promise<ClaimedJob | undefined>): Promise<JobInHand | undefined>
}

export interface JobInHand extends Disposable {
  readonly claimed: ClaimedJob
  /** At once, or when those that were in hand before have come to their end. */
  mayBegin(): Promise<void>
}

export function sideBySide(): SideBySide {
  let door: Promise<void> = Promise.resolve()
  const inHand = new Set<Promise<void>>()

  /** Resolves to what opens the door again. */
  const closeDoor = async (): Promise<() => void> => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const before = door
    door = opened
    await before
    return open
  }

  return {
    claim: async (claimNext) => {
      const openDoor = await closeDoor()
      let isAlone = false
      try {
        const claimed = await claimNext()
        if (claimed === undefined) return undefined
        isAlone = claimed.job.attempts > 1
        const others = [...inHand]
        const { promise: ended, resolve: end } = Promise.withResolvers<void>()
        inHand.add(ended)
        return {
          claimed,
          mayBegin: async () => void (isAlone && (await Promise.all(others))),
          [Symbol.dispose]: () => {
            inHand.delete(ended)
            end()
            openDoor()
          },
        }
      } finally {
        if (!isAlone) openDoor()
      }
    },
  }
}
