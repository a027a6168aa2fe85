import type { ClaimedJob } from './leases.ts'

/** What a worker knows about waiting jobs since it looked for them last. */
export interface KnownQueue {
  /** There may be a job now. */
  changed(): void
  /** Claims jobs, unless none was waiting a moment ago and nothing has changed since. */
  search(claim: () => Promise<readonly ClaimedJob[]>): Promise<readonly ClaimedJob[]>
}

/** @param report called with whether the queue is empty, if that has changed or may have */
export function knownQueue(freshMs: number, report: (isEmpty: boolean) => void): KnownQueue {
  let emptyAt = -Infinity
  let changes = 0
  let reported: boolean | undefined
  return {
    changed() {
      changes += 1
      emptyAt = -Infinity
      reported = undefined
    },
    async search(claim) {
      const began = performance.now()
      if (began - emptyAt < freshMs) return []
      emptyAt = -Infinity
      const before = changes
      const jobs = await claim()
      const isEmpty = jobs.length === 0 && before === changes
      if (isEmpty) emptyAt = began
      if (isEmpty !== reported) {
        reported = isEmpty
        report(isEmpty)
      }
      return jobs
    },
  }
}
