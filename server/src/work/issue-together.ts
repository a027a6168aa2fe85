// docs/decisions/0341
import { isUnavailable } from '../database/unavailable.ts'
import { LogFrozen } from '../log/freeze-log.ts'
import { Overtaken } from '../log/mark-guard.ts'
import type { EventLog } from '../runtime/logger.ts'
import { reached } from '../runtime/steps.ts'
import { type AtOnceContext, type FinishedJob, issueAtOnce, NotAll } from './issue-at-once.ts'
import { KeyEnded, LeaseLost } from './pass-job.ts'

export interface TogetherContext extends AtOnceContext {
  readonly log: EventLog
  readonly ended: (result: 'issued') => void
  /** Whether more kits are being made, which will wait soon. */
  readonly isMore?: () => boolean
}

/** Issues a kit together with others that wait. Resolves to false if its job has to pass first, and wait for the log. */
export type IssueTogether = (job: FinishedJob) => Promise<boolean>

interface Waiting extends FinishedJob {
  readonly resolve: (isIssued: boolean) => void
  readonly reject: (error: unknown) => void
}

/** Databases prepare each statement once, so there must not be one for every number of kits. */
const BATCHES = [32, 16, 8, 7, 6, 5, 4, 3, 2, 1] as const

/** A batch of this size does not wait for more kits. */
const ENOUGH = 8
/** How long kits wait for others that are being made. */
const MAX_WAIT_MS = 25

/** A batch is what is waiting when the one before has ended. A kit waits for others only while they are being made. */
export function issuingTogether(ctx: TogetherContext): IssueTogether {
  const waiting: Waiting[] = []
  let isRunning = false
  let added: (() => void) | undefined

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      await enoughOrLate()
      const batch = waiting.splice(0, BATCHES.find((size) => size <= waiting.length) ?? 1)
      await issue(batch)
      await ctx.atOnce
        .record()
        .catch((error: unknown) => ctx.log.error({ err: error }, 'the high-water mark could not be recorded'))
    }
    isRunning = false
  }

  async function enoughOrLate(): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS
    for (let leftMs = MAX_WAIT_MS; leftMs > 0; leftMs = end - performance.now()) {
      if (waiting.length >= ENOUGH || ctx.isMore?.() !== true) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, leftMs)
      added = resolve
      await promise
      clearTimeout(timer)
    }
  }

  async function issue(batch: readonly Waiting[]): Promise<void> {
    try {
      await issueAtOnce(ctx, batch)
    } catch (error) {
      return afterFailure(batch, error)
    }
    for (const { claimed, made, resolve } of batch) {
      reached('kit issued')
      const { job_id, attempts } = claimed.job
      ctx.log.info({ job_id, kit_id: made.kit.row.kit_id, attempts }, 'kit issued')
      ctx.ended('issued')
      resolve(true)
    }
  }

  /** One job must not hold up the others of its batch. What its problem is shows when it passes alone. */
  async function afterFailure(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (error instanceof NotAll) {
      const failed = new Set(batch.filter(({ claimed }) => error.errors.has(claimed.job.job_id)))
      for (const each of failed) leaveOut(each, error.errors.get(each.claimed.job.job_id))
      const others = batch.filter((each) => !failed.has(each))
      return others.length === 0 ? undefined : issue(others)
    }
    if (isUnavailable(error)) for (const { reject } of batch) reject(error)
    else if (batch.length === 1 || error instanceof LogFrozen || error instanceof Overtaken)
      for (const { resolve } of batch) resolve(false)
    else for (const each of batch) await issue([each])
  }

  function leaveOut({ resolve, reject }: Waiting, error: unknown): void {
    if (error instanceof LeaseLost || error instanceof KeyEnded) reject(error)
    else resolve(false)
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...job, resolve, reject })
      added?.()
      if (!isRunning) void run()
    })
}
