import { jobSlots } from './job-slots.ts'
import { type WorkContext, type WorkResult, workOnNext } from './work-on-job.ts'

/** Processes waiting jobs, several at once, until it is stopped. */
export interface Worker {
  /** Looks for one job immediately, because it was created. Without it, the worker polls every second. */
  wake(): void
  /** Claims no more jobs; resolves when running ones have finished. */
  stop(): Promise<void>
  /** False while attempts fail because of the environment (disk, database, keys). */
  healthy(): boolean
}

const POLL_MS = 1000
const MAX_BACKOFF_MS = 5_000
/** Shorter, so that work resumes soon after an outage of the database. */
const MAX_DATABASE_BACKOFF_MS = 2000

export function startWorker(ctx: WorkContext, concurrency: number): Worker {
  const alarm = new Alarm()
  const slots = jobSlots()
  const state = { stopping: false, failuresInARow: 0, storeFailuresInARow: 0 }

  const next = async (): Promise<WorkResult | 'no store'> => {
    try {
      const result = await workOnNext(ctx, slots, () => state.stopping)
      state.storeFailuresInARow = 0
      if (result.is !== 'idle' && result.is !== 'passed') ctx.ended(result.is)
      return result
    } catch (error) {
      ctx.log.error({ err: error }, 'cannot claim or release a job')
      state.storeFailuresInARow += 1
      return 'no store'
    }
  }

  const loop = async (): Promise<void> => {
    while (!state.stopping) {
      const wakeUps = alarm.count
      const result = await next()
      if (result === 'no store') {
        await alarm.sleep(
          Math.min(MAX_DATABASE_BACKOFF_MS, backoffMs(state.storeFailuresInARow)),
          alarm.count,
        )
        continue
      }
      const isEnvironment = result.is === 'given back' && result.fault === 'environment'
      if (isEnvironment) state.failuresInARow += 1
      else if (result.is !== 'idle') state.failuresInARow = 0
      if (isEnvironment) await alarm.sleep(backoffMs(state.failuresInARow), alarm.count)
      else if (result.is === 'idle') await alarm.sleep(POLL_MS, wakeUps)
    }
  }

  const running = Array.from({ length: concurrency }, loop)
  return {
    wake: () => alarm.ring(),
    healthy: () => state.failuresInARow === 0 && state.storeFailuresInARow === 0,
    stop: async () => {
      state.stopping = true
      alarm.ringForAll()
      await Promise.all(running)
    },
  }
}

const backoffMs = (failuresInARow: number): number =>
  Math.min(MAX_BACKOFF_MS, 500 * 2 ** Math.min(failuresInARow, 8))

/** Wakes sleepers early. If it rang for nobody since `seen` was read, `sleep` returns immediately. */
class Alarm {
  count = 0
  readonly #sleepers = new Set<() => void>()

  /** Wakes one sleeper. Others would look for a second job in vain. */
  ring(): void {
    const [wake] = this.#sleepers
    if (wake === undefined) this.count += 1
    else wake()
  }

  ringForAll(): void {
    this.count += 1
    for (const wake of this.#sleepers) wake()
  }

  sleep(milliseconds: number, seen: number): Promise<void> {
    if (this.count !== seen) return Promise.resolve()
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
