import type { JobId } from '../runtime/identifiers.ts'
import type { Place } from '../submissions/place.ts'

export interface Places {
  /** Undefined if a job has to queue. */
  reserve(): Place | undefined
  /** Whether jobs are waiting, as the worker last saw it. */
  queueSeen(isEmpty: boolean): void
  /** A job that was handed over does not occupy the worker any more. */
  left(): void
}

export interface PlacesOptions {
  readonly owner: string
  readonly leaseMs: number
  readonly workers: number
  readonly handOver: (jobId: JobId) => void
}

/** The places of one worker. Nobody has one while jobs are waiting, so that workspaces keep their turns. */
export function workPlaces({ owner, leaseMs, workers, handOver }: PlacesOptions): Places {
  let taken = 0
  let isQueueEmpty = false
  const leave = (): void => void (taken -= 1)
  return {
    reserve() {
      if (!isQueueEmpty || taken >= workers) return undefined
      taken += 1
      let isHandedOver = false
      return {
        owner,
        leaseMs,
        handOver(jobId) {
          isHandedOver = true
          handOver(jobId)
        },
        [Symbol.dispose]: () => void (isHandedOver || leave()),
      }
    },
    queueSeen: (isEmpty) => void (isQueueEmpty = isEmpty),
    left: leave,
  }
}
