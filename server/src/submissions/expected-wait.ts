type Counts = ReadonlyMap<string, number>

/** With fewer jobs, the wait is a second. Asking costs little, and one slow job says nothing about the rate. */
const SHORT_QUEUE = 50
const MAX_SECONDS = 30
/** A queue that just became long may be short again in a moment. */
const MIN_MEASURED_MS = 2000
/** What was measured before this counts half. */
const WINDOW_MS = 5000

interface Measured {
  readonly waiting: number
  readonly finished: number
  readonly elapsedMs: number
}

/** How long jobs wait for a worker: the waiting jobs of a workspace, divided by the rate at which they were finished recently. */
export function expectedWait(elapsedMs: () => number = () => performance.now()) {
  let measured = new Map<string, Measured>()
  let countedAt = elapsedMs()
  return {
    /** Call after each count, with how many of each workspace waited before, including those added since, and now. */
    counted: (before: Counts, now: Counts): void => {
      const sinceMs = elapsedMs() - countedAt
      countedAt += sinceMs
      const next = new Map<string, Measured>()
      for (const [workspace, waiting] of now) {
        if (waiting < SHORT_QUEUE) continue
        const known = measured.get(workspace)
        if (known === undefined) {
          next.set(workspace, { waiting, finished: 0, elapsedMs: 0 })
          continue
        }
        const weight = known.elapsedMs > WINDOW_MS ? 0.5 : 1
        // Jobs that other nodes added can hide some that were finished.
        const finished = Math.max(0, (before.get(workspace) ?? 0) - waiting)
        next.set(workspace, {
          waiting,
          finished: known.finished * weight + finished,
          elapsedMs: known.elapsedMs * weight + sinceMs,
        })
      }
      measured = next
    },
    /** When to ask for a waiting job again, in seconds: from 1 to 30. */
    seconds: (workspace: string, waitedMs: () => number): number => {
      const known = measured.get(workspace)
      if (known === undefined || known.elapsedMs < MIN_MEASURED_MS) return 1
      // Infinity if none was finished.
      const expectedMs = (known.waiting * known.elapsedMs) / known.finished
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil((expectedMs - waitedMs()) / 1000)))
    },
  }
}
