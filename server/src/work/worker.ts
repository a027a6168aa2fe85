import { jobSlots } from './job-slots.ts'
import { releaseLease } from './leases.ts'
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

/** Kits that are made, and pass together. */
const MAX_FINISHING = 32
/** Claimed jobs that have to wait longer than this may be claimed by another worker. */
const MAX_WAIT_MS = 1000

export function startWorker(ctx: WorkContext, concurrency: number, slots = jobSlots()): Worker {
  const alarm = new Alarm()
  const state = { stopping: false, failuresInARow: 0, storeFailuresInARow: 0, pauseMs: 0 }
  const finishing = new Set<Promise<void>>()
  const isStopping = (): boolean => state.stopping
  // Another loop may start the next one.
  const onClaimed = (): void => void (slots.hasMore && alarm.ring())

  const next = async (onMade: () => void): Promise<WorkResult | 'no store'> => {
    try {
      const result = await workOnNext(ctx, { slots, isStopping, onClaimed, onMade })
      state.storeFailuresInARow = 0
      if (result.is !== 'idle' && result.is !== 'passed') ctx.ended(result.is)
      return result
    } catch (error) {
      ctx.log.error({ err: error }, 'cannot claim or release a job')
      state.storeFailuresInARow += 1
      return 'no store'
    }
  }

  /** How long to pause after this result. */
  const pauseAfter = (result: WorkResult | 'no store'): number => {
    if (result === 'no store') return Math.min(MAX_DATABASE_BACKOFF_MS, backoffMs(state.storeFailuresInARow))
    const isEnvironment = result.is === 'given back' && result.fault === 'environment'
    if (isEnvironment) state.failuresInARow += 1
    else if (result.is !== 'idle') state.failuresInARow = 0
    return isEnvironment ? backoffMs(state.failuresInARow) : 0
  }

  /** Starts the next job while the kit of this one waits to pass. */
  const nextMade = async (): Promise<WorkResult | 'no store' | 'made'> => {
    const { promise: made, resolve } = Promise.withResolvers<'made'>()
    const result = next(() => resolve('made'))
    const first = await Promise.race([made, result])
    if (first !== 'made') return first
    const finished = result.then((late) => {
      state.pauseMs = Math.max(state.pauseMs, pauseAfter(late))
      finishing.delete(finished)
    })
    finishing.add(finished)
    if (finishing.size >= MAX_FINISHING) await Promise.race(finishing)
    return first
  }

  const loop = async (): Promise<void> => {
    while (!state.stopping) {
      const wakeUps = alarm.count
      const result = await nextMade()
      const pauseMs = Math.max(state.pauseMs, result === 'made' ? 0 : pauseAfter(result))
      state.pauseMs = 0
      if (pauseMs > 0) await alarm.sleep(pauseMs, alarm.count)
      else if (typeof result === 'object' && result.is === 'idle') await alarm.sleep(POLL_MS, wakeUps)
    }
  }

  const giveBack = async (claimedMs: number): Promise<void> => {
    for (const { lease } of slots.takeBack(claimedMs)) {
      await releaseLease(ctx, lease, 0, false).catch((error: unknown) =>
        ctx.log.error({ err: error, job_id: lease.jobId }, 'cannot release a job'),
      )
    }
  }

  const waitMs = Math.min(MAX_WAIT_MS, ctx.leaseMs / 4)
  const timer = setInterval(() => void giveBack(waitMs), waitMs).unref()
  const running = Array.from({ length: concurrency }, loop)
  return {
    wake: () => alarm.ring(),
    healthy: () => state.failuresInARow === 0 && state.storeFailuresInARow === 0,
    stop: async () => {
      state.stopping = true
      clearInterval(timer)
      alarm.ringForAll()
      await giveBack(0)
      await Promise.all(running)
      // A claim may have been on its way.
      await giveBack(0)
      await Promise.all(finishing)
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
