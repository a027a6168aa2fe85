import { timestamp } from '../runtime/clock.ts'
import type { JobsTable, KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { reached } from '../runtime/steps.ts'
import { NoWorker, WorkerCrashed } from '../runtime/crew.ts'
import { attemptsExhausted, unexaminable } from '../submissions/blockers.ts'
import type { FinishJob, JobOutcome, MadeKit } from '../submissions/job-outcome.ts'
import type { EventLog } from '../runtime/logger.ts'
import { KeyEnded, LeaseLost, type PassJob } from './pass-jobs.ts'
import { type ClaimedJob, type ClaimJobs, failJob, type Leases, releaseLease, renewLease } from './leases.ts'
import { type JobSlots, jobSlots } from './job-slots.ts'

export interface WorkContext extends Leases {
  readonly maxAttempts: number
  readonly claim: ClaimJobs
  /** Makes, stores and verifies the kit, or returns the blockers. Writes nothing to the database. */
  readonly makeKit: (job: Readonly<JobsTable>) => Promise<JobOutcome>
  readonly settle: FinishJob
  /** After it, the kit will be issued. */
  readonly pass: PassJob
  /** Deletes what `makeKit` stored, if it is certain that the job is not PASS. */
  readonly discard: (kit: KitsTable) => Promise<void>
  readonly log: EventLog
  readonly ended: (result: 'issued' | 'failed' | 'given back' | 'lost') => void
}

export type WorkResult =
  | { readonly is: 'idle' }
  /** The kit will be issued as soon as it is in the log. */
  | { readonly is: 'passed' }
  | { readonly is: 'failed' }
  | { readonly is: 'lost' }
  /** Released for a retry, because of the job itself or the environment (disk, token, database). */
  | { readonly is: 'given back'; readonly fault: 'job' | 'environment' }

export interface NextOptions {
  readonly slots?: JobSlots
  /** If true, no job is claimed. */
  readonly isStopping?: () => boolean
  /** Called when the job has been claimed. */
  readonly onClaimed?: () => void
  /** Called when the kit is made, and only has to pass. */
  readonly onMade?: () => void
}

/** Processes one job. Whatever fails, the job finishes once or can be claimed again. */
export async function workOnNext(ctx: WorkContext, options: NextOptions = {}): Promise<WorkResult> {
  const { slots = jobSlots(), isStopping = () => false } = options
  using running = await slots.claim(async (after) => (isStopping() ? [] : ctx.claim(after)))
  if (running === undefined) return { is: 'idle' }
  options.onClaimed?.()
  reached('job claimed')
  const { claimed } = running
  if (claimed.job.attempts > ctx.maxAttempts) return giveUp(ctx, claimed)
  const renewal = keepRenewed(ctx, claimed)
  try {
    await running.canStart()
    const outcome = await ctx.makeKit(claimed.job)
    if (outcome.is === 'blocked') return await fail(ctx, claimed, outcome)
    options.onMade?.()
    await finish(ctx, claimed, outcome)
    return { is: 'passed' }
  } catch (error) {
    return await afterFailure(ctx, claimed, error)
  } finally {
    clearInterval(renewal)
  }
}

/** Only after a lost lease or an ended key is it certain that the kit is not stored. Otherwise its objects stay. */
async function finish(ctx: WorkContext, claimed: ClaimedJob, made: MadeKit): Promise<void> {
  try {
    await ctx.pass({ claimed, made })
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof KeyEnded) await ctx.discard(made.kit)
    throw error
  }
}

async function fail(
  ctx: WorkContext,
  { job, lease }: ClaimedJob,
  outcome: Omit<Extract<JobOutcome, { readonly is: 'blocked' }>, 'is'>,
): Promise<WorkResult> {
  const { blockers } = outcome
  const now = timestamp(ctx.clock.now())
  const failed = await transact(ctx.db, async (trx) => {
    if (!(await failJob(trx, lease, outcome, now))) return false
    await ctx.settle.failed(trx, job, blockers, now)
    return true
  })
  const { job_id, attempts } = job
  if (failed) ctx.log.info({ job_id, attempts, blockers: blockers.length }, 'job failed')
  return { is: failed ? 'failed' : 'lost' }
}

function giveUp(ctx: WorkContext, claimed: ClaimedJob): Promise<WorkResult> {
  const { job_id } = claimed.job
  ctx.log.error({ job_id, attempts: ctx.maxAttempts }, 'attempts exhausted')
  return fail(ctx, claimed, { blockers: [attemptsExhausted(ctx.maxAttempts)] })
}

function keepRenewed(ctx: WorkContext, { lease }: ClaimedJob): NodeJS.Timeout {
  const renew = (): void => {
    renewLease(ctx, lease).catch((error: unknown) =>
      ctx.log.error({ err: error, job_id: lease.jobId }, 'cannot renew the lease'),
    )
  }
  return setInterval(renew, ctx.leaseMs / 3).unref()
}

async function afterFailure(
  ctx: WorkContext,
  { job, lease }: ClaimedJob,
  error: unknown,
): Promise<WorkResult> {
  if (error instanceof LeaseLost) {
    ctx.log.info({ job_id: job.job_id }, 'lease lost to another worker')
    return { is: 'lost' }
  }
  if (error instanceof WorkerCrashed && job.attempts >= MAX_CRASHES)
    return fail(ctx, { job, lease }, { blockers: [unexaminable(error.reason, MAX_CRASHES)] })
  const fault = isEnvironmentError(error) ? 'environment' : 'job'
  ctx.log.error({ err: error, job_id: job.job_id, attempts: job.attempts, fault }, 'attempt failed')
  if (fault === 'job' && job.attempts >= ctx.maxAttempts) return giveUp(ctx, { job, lease })
  await releaseLease(ctx, lease, retryDelayMs(job.attempts), fault === 'job')
  return { is: 'given back', fault }
}

/** 1, 2, 4 … seconds, at most a minute. */
const retryDelayMs = (attempts: number): number => Math.min(60_000, 1000 * 2 ** Math.max(0, attempts - 1))

/** A worker may crash because of its machine. */
const MAX_CRASHES = 2

const ENVIRONMENT_ERRORS = new Set<string>([...MACHINE_FAILURES, 'ENOMEM'])

/** A full disk or an unplugged token must not fail jobs: they wait until it is fixed. */
function isEnvironmentError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (
    ENVIRONMENT_ERRORS.has(code) ||
    isUnavailable(error) ||
    // Errors of workers have lost their class.
    error.name === 'ObjectsUnavailable' ||
    error instanceof KeyEnded ||
    error instanceof NoWorker ||
    error.name === 'KeyUnusable' ||
    error.name === 'ImplausibleTime'
  )
}
