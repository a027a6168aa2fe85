import { sideBySide } from './side-by-side.ts'
import { type WorkContext, type WorkResult, workOnNext } from './work-on-job.ts'

/** Works through the waiting jobs, several at once, until it is stopped. */
export interface Worker {
  /** A job was created in this process: look at once. Jobs of other processes are found by looking every second. */
  wake(): void
  /** Takes no further job, and resolves when those in hand have come to their end. */
  stop(): Promise<void>
  /** False while attempts fail for reasons that lie outside the jobs. */
  healthy(): boolean
}

const LOOK_EVERY_MS = 1000
const LONGEST_PAUSE_MS = 5_000
/** A store that is away is asked again soon: the first answer shows that it is back. */
const LONGEST_ABSENCE_MS = 2000

export function startWorker(ctx: WorkContext, lanes: number): Worker {
  const bell = new Bell()
  const jobs = sideBySide()
  const state = { stopping: false, failuresInARow: 0, storeFailuresInARow: 0 }

  const next = async (): Promise<WorkResult | 'no store'> => {
    try {
      const result = await workOnNext(ctx, jobs, () => state.stopping)
      state.storeFailuresInARow = 0
      if (result.is !== 'idle') ctx.ended(result.is)
      return result
    } catch (error) {
      ctx.log.error({ err: error }, 'the store does not let a job be claimed or given back')
      state.storeFailuresInARow += 1
      return 'no store'
    }
  }

  const lane = async (): Promise<void> => {
    while (!state.stopping) {
      const heard = bell.rings
      const result = await next()
      if (result === 'no store') {
        await bell.sleep(Math.min(LONGEST_ABSENCE_MS, pauseMs(state.storeFailuresInARow)), bell.rings)
        continue
      }
      const outside = result.is === 'given back' && result.fault === 'surroundings'
      if (outside) state.failuresInARow += 1
      else if (result.is !== 'idle') state.failuresInARow = 0
      if (outside) await bell.sleep(pauseMs(state.failuresInARow), bell.rings)
      else if (result.is === 'idle') await bell.sleep(LOOK_EVERY_MS, heard)
    }
  }

  const running = Array.from({ length: lanes }, lane)
  return {
    wake: () => bell.ring(),
    healthy: () => state.failuresInARow === 0 && state.storeFailuresInARow === 0,
    stop: async () => {
      state.stopping = true
      bell.ring()
      await Promise.all(running)
    },
  }
}

const pauseMs = (failuresInARow: number): number =>
  Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(failuresInARow, 8))

/** Wakes sleepers early. A ring that came after `heard` was read is not missed: there is then no sleep at all. */
class Bell {
  rings = 0
  readonly #sleepers = new Set<() => void>()

  ring(): void {
    this.rings += 1
    for (const wake of this.#sleepers) wake()
  }

  sleep(milliseconds: number, heard: number): Promise<void> {
    if (this.rings !== heard) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#sleepers.add(wake)
    })
  }
}
