import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { moveCredits } from '../access/credits.ts'
import type { NewEvent } from '../audit/audit-trail.ts'
import { isShared } from '../database/dialect.ts'
import { inPowersOfTwo, type Param, prepared } from '../database/statements.ts'
import type { Database, Db, KitsTable, SubmissionsTable } from '../database/schema.ts'
import { transact, inBatches, togetherOrAlone } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { LeafIndexes } from '../log/sequence-leaves.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { WorkerCrashed } from '../runtime/worker-pool.ts'
import type { JobId, KitId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'
import { reached } from '../runtime/steps.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { finishTask, newTask, queueTask, type Task } from '../tasks/tasks.ts'
import {
  attemptsExhausted,
  type Blocker,
  isEnvironmentError,
  KeyEnded,
  TaskLost,
  unexaminable,
} from './blockers.ts'
import type { FinishJob } from './finish-submission.ts'
import type { FindToSeal, JobOutcome, JobToSeal } from './make-kit.ts'
import { receivedFromOthers } from './provenance-report.ts'
import {
  checkedProof,
  notEarlier,
  type PassedJob,
  passedJobs,
  type ProvedJob,
  type SealedJob,
  storeIssued,
  storePassed,
  type VerifyStored,
} from './sealed-kits.ts'
import { SEAL } from './statuses.ts'
import { acceptOf, type EvidenceView, type SubmissionView } from './submission.ts'
import { noCredits } from './submission-refusals.ts'

/*
 * From evidence to an issued kit. The process may be killed anywhere: what was acknowledged stays, and the rest is done again.
 *
 *   1  queued    The files are synced; one commit has SUBMITTED, the credit and the task, which a free node claims with it. Only
 *                then 202 is answered.
 *   2  examined  In a worker. Killed: the task is free once the process has ended or its lease is over, and 2 begins again.
 *   3  sealed    In a worker: binder, manifest and signed receipt become one object, which is synced and then verified as it
 *                will be served, from disk. Killed: as in 2. What was stored is accepted by nobody, and is swept.
 *   4  passed    One commit: PASS, the kit, its leaf, the tree with this leaf, and no task any more. Killed before: as in 2.
 *                Killed after: the kit is issued at the next start, from what is stored.
 *   5  proved    The mark of the log is synced, then the checkpoint is signed, then witnesses may be asked. Killed: the same
 *                tree gives the same checkpoint.
 *   6  issued    One commit: ISSUED, the proof, the credit, the events. Nobody sees the kit before. Killed before: as after 4.
 */

type Row = Readonly<SubmissionsTable>

/** Step 1: DRAFT → SUBMITTED, with the last upload. */
export const submitted = (at: string) =>
  ({ status: 'SUBMITTED', job_updated_at: at, expires_at: null }) as const

/** In the commit that submits. Updates the workspace last, because that row is locked by every submission of the workspace. */
export async function queueSubmission(
  trx: Db,
  submission: SubmissionView,
  evidence: readonly EvidenceView[],
  { workspaceId, actor }: WorkspaceCaller,
  at: string,
): Promise<void> {
  if (evidence.length === 0)
    throw new Refusal('evidence_invalid', 'The submission has no files. Add at least one.')
  const { submission_id, uploads } = submission
  // A single upload is that of the caller.
  const others = uploads === 1 ? [] : await receivedFromOthers(trx, submission_id, actor)
  const event = { workspaceId, subject: submission_id, at } as const
  const received = others.map((other): NewEvent =>
    Object.assign({ action: 'evidence.received' as const }, event, other),
  )
  const accept = acceptOf(submission)
  const details = {
    files: evidence.length,
    bytes: submission.uploaded_bytes,
    ...(uploads === 1 ? {} : { uploads }),
    ...(accept.length === 0 ? {} : { accept: accept.join(' ') }),
  }
  const hold = { workspaceId, kind: 'hold', amount: 1, submissionId: submission_id, at } as const
  const sealed: NewEvent = { ...event, actor, action: 'submission.sealed', details }
  const task = newTask(trx, sealingOf(submission))
  if (!(await moveCredits(trx, [hold], [...received, sealed], [task.insertion]))) throw noCredits()
  task.inserted()
}

/** Whatever the clock of a node shows. The IDs of jobs are in the order of time. */
const AT_ONCE = timestamp(0)

const sealingOf = ({ job_id, workspace_id }: Pick<Row, 'job_id' | 'workspace_id'>) =>
  ({ kind: SEAL, key: job_id, workspaceId: workspace_id, dueAt: AT_ONCE }) as const

/** In the commit that submits the job. */
export const queueSealing = (trx: Db, job: Pick<Row, 'job_id' | 'workspace_id'>): Promise<void> =>
  queueTask(trx, sealingOf(job))

export interface SealingContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  /** This process. */
  readonly node: string
  readonly maxAttempts: number
  readonly objects: Pick<ObjectStore, 'delete'>
  readonly transparencyLog: TransparencyLog
  readonly find: FindToSeal
  /** Steps 2 and 3. Writes nothing to the database. */
  readonly makeKit: (found: JobToSeal) => Promise<JobOutcome>
  readonly verifyStored: VerifyStored
  /** What else follows, in the same commits. */
  readonly settle: FinishJob
  /** Extends the tree in the commit of step 4. False if other nodes and witnesses have to see its sizes in order. */
  readonly growsLog: boolean
  /** Kits wait for their proof. */
  readonly onPassed: () => void
  readonly log: EventLog
  readonly ended: (result: 'issued' | 'failed' | 'given back' | 'lost') => void
}

const MAX_BATCH = 32
/** How long a batch waits for kits that are being made. */
const GATHER_MS = 25

export function sealing(ctx: SealingContext, concurrency: number) {
  const issuer = kitIssuer(ctx)
  let inTheMaking = 0
  const pass = inBatches<SealedJob>(
    MAX_BATCH,
    async (batch) => passTogether(ctx, batch, issuer),
    () => (inTheMaking > 0 ? sleep(GATHER_MS) : undefined),
  )

  async function make(found: JobToSeal): Promise<JobOutcome> {
    inTheMaking += 1
    try {
      return await ctx.makeKit(found)
    } finally {
      inTheMaking -= 1
    }
  }

  async function seal(task: Task, free: () => void): Promise<Outcome> {
    const found = await ctx.find(task.key as JobId)
    if (found?.job.status !== 'SUBMITTED') return { is: 'done' }
    const { job } = found
    reached('job claimed')
    try {
      const made = await make(found)
      if (made.is === 'blocked') return await fail(ctx, task, job, made)
      // Its worker takes the next job, while this one waits for others to pass with.
      free()
      await pass({ task, job, made })
      ctx.onPassed()
      return { is: 'gone' }
    } catch (error) {
      return await afterFailure(ctx, task, job, error)
    }
  }

  const run = async (task: Task, free: () => void): Promise<Outcome> => {
    const outcome = await seal(task, free)
    if (outcome.is === 'again') ctx.ended('given back')
    return outcome
  }
  return {
    kind: { name: SEAL, concurrency, beginsAtOnce: true, run } satisfies Kind,
    issue: () => issuer.issue(),
  }
}

/** SUBMITTED → FAIL, which costs nothing. */
async function fail(
  { db, clock, settle, log, ended }: SealingContext,
  task: Task,
  job: Row,
  { blockers, findings }: { readonly blockers: readonly Blocker[]; readonly findings?: readonly object[] },
): Promise<Outcome> {
  const now = timestamp(clock.now())
  const isFailed = await transact(db, async (trx) => {
    if (!(await finishTask(trx, task))) return false
    await trx
      .updateTable('submissions')
      .set({
        status: 'FAIL',
        job_updated_at: notEarlier(now),
        blockers: JSON.stringify(blockers),
        findings: findings === undefined ? null : JSON.stringify(findings),
      })
      .where('job_id', '=', job.job_id)
      .where('status', '=', 'SUBMITTED')
      .execute()
    await settle.failed(trx, job, blockers, now)
    return true
  })
  if (isFailed) log.info({ job_id: job.job_id, blockers: blockers.length }, 'job failed')
  ended(isFailed ? 'failed' : 'lost')
  return { is: 'gone' }
}

/** A worker may also crash because of its machine. */
const MAX_CRASHES = 2

/** Whatever fails, the job ends once, or it is tried again. Only what it did itself counts as an attempt. */
async function afterFailure(ctx: SealingContext, task: Task, job: Row, error: unknown): Promise<Outcome> {
  const { job_id } = job
  if (error instanceof TaskLost) {
    ctx.log.info({ job_id }, 'another node has taken the job over')
    ctx.ended('lost')
    return { is: 'gone' }
  }
  const attempts = task.attempts + 1
  const fault = isEnvironmentError(error) ? 'environment' : 'task'
  ctx.log.error({ err: error, job_id, attempts, fault }, 'attempt failed')
  if (error instanceof WorkerCrashed && attempts >= MAX_CRASHES)
    return fail(ctx, task, job, { blockers: [unexaminable(error.reason, attempts)] })
  if (fault === 'task' && attempts >= ctx.maxAttempts)
    return fail(ctx, task, job, { blockers: [attemptsExhausted(attempts)] })
  // 1, 2, 4 … seconds, at most a minute.
  return { is: 'again', fault, delayMs: Math.min(60_000, 1000 * 2 ** task.attempts) }
}

/** Neither the log nor one job may hold up the others of a batch. Returns the errors of those that have not passed. */
async function passTogether(ctx: SealingContext, batch: readonly SealedJob[], issuer: KitIssuer) {
  const failed = await togetherOrAlone(batch, async (jobs, isAlone) => {
    const leaves = await passJobs(ctx, jobs, ctx.growsLog && !isAlone)
    for (const { job, made } of jobs) issuer.remember(job, made.kit, leaves.get(made.kit.kit_id))
  })
  // Only after these errors is it certain that the kit is not stored. Otherwise its objects stay, and what nobody has accepted is swept.
  for (const [{ made }, error] of failed)
    if (error instanceof TaskLost || error instanceof KeyEnded)
      await Promise.allSettled(made.objects.map(({ object }) => ctx.objects.delete(object)))
  return failed
}

/** Step 4: SUBMITTED → PASS. Throws TaskLost or KeyEnded if nothing of the kits is stored. */
export async function passJobs(
  { db, clock, node, transparencyLog }: Pick<SealingContext, 'db' | 'clock' | 'node' | 'transparencyLog'>,
  batch: readonly SealedJob[],
  growsLog: boolean,
): Promise<LeafIndexes> {
  const store = async (trx: Db): Promise<void> => {
    for (const part of inPowersOfTwo(batch)) await storePassed(trx, part, node, timestamp(clock.now()))
  }
  let leaves: LeafIndexes = new Map()
  if (growsLog) leaves = await transparencyLog.commit(store)
  else await transact(db, store)
  reached('job passed')
  return leaves
}

/** Steps 5 and 6, for kits whose leaf is in the tree: those of this process, and those that another one has left. */
interface KitIssuer {
  /** A kit that this process has sealed and verified, so that it need not be read again. */
  remember(job: Row, kit: KitsTable, leafIndex: number | undefined): void
  /** Issues a batch of kits; returns how many. None if the log is frozen. */
  issue(): Promise<number>
}

type IssueContext = Pick<
  SealingContext,
  'db' | 'clock' | 'node' | 'transparencyLog' | 'verifyStored' | 'settle' | 'log' | 'ended'
>

interface RememberedKit {
  readonly kit: KitsTable
  /** Undefined if its leaf was not in the tree yet. */
  readonly passed: PassedJob | undefined
}

/** Kits in memory, each with its generated files. */
const MAX_REMEMBERED = 100
/** How long to wait with a kit that could not be issued. */
const POSTPONE_MS = 60_000
/** After this time another node issues what a node has left. */
const LEFT_MS = 10_000
/** How often to look for kits that this process has not just passed. */
const SEARCH_MS = 1000

export function kitIssuer(ctx: IssueContext): KitIssuer {
  const { db, clock, node, transparencyLog, verifyStored, log } = ctx
  const remembered = new Map<KitId, RememberedKit>()
  const postponed = new Map<KitId, number>()
  let searchAt = 0
  const findPassed = prepared(db, (param: Param<{ left: string }>) => passedJobs(db, node, param('left')))

  function postpone({ job, kitId }: PassedJob, error: unknown): void {
    log.error({ err: error, job_id: job.job_id }, 'the kit could not be issued')
    postponed.set(kitId, clock.now() + POSTPONE_MS)
  }

  async function passed(): Promise<readonly PassedJob[]> {
    const own = Array.from(remembered.values(), (each) => each.passed ?? []).flat()
    if (own.length > 0 && performance.now() < searchAt) return own
    searchAt = performance.now() + SEARCH_MS
    const now = clock.now()
    for (const [kitId, until] of postponed) if (until <= now) postponed.delete(kitId)
    // With SQLite there is no other node.
    const left = isShared(db) ? timestamp(now - LEFT_MS) : '9'
    const rows =
      postponed.size === 0
        ? await findPassed({ left })
        : await passedJobs(db, node, left)
            .where('kits.kit_id', 'not in', [...postponed.keys()])
            .execute()
    return rows.map(({ passed_kit_id: kitId, leaf_index, ...job }) => {
      return { job, kitId, leafIndex: Number(leaf_index) }
    })
  }

  /** Step 5. Leaves out kits that no published checkpoint covers yet. */
  async function prove(jobs: readonly PassedJob[]): Promise<readonly ProvedJob[]> {
    const proveLeaf = transparencyLog.prover(await transparencyLog.published())
    const proved: ProvedJob[] = []
    for (const job of jobs) {
      const proof = await proveLeaf(job.leafIndex)
      if (proof === undefined) continue
      try {
        const { kit } = remembered.get(job.kitId) ?? {}
        proved.push({ ...job, proofs: await checkedProof(db, verifyStored, job.kitId, proof, kit) })
      } catch (error) {
        postpone(job, error)
        remembered.delete(job.kitId)
      }
    }
    return proved
  }

  return {
    remember(job, kit, leafIndex) {
      const kitId = kit.kit_id
      remembered.set(kitId, { kit, passed: leafIndex === undefined ? undefined : { job, kitId, leafIndex } })
      const [oldest] = remembered.keys()
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    },

    async issue() {
      const jobs = await passed()
      const proved = jobs.length === 0 ? [] : await prove(jobs)
      const failed = await togetherOrAlone(proved, (kits) => issueKits(ctx, kits))
      for (const [kit, error] of failed) {
        if (isUnavailable(error)) throw error
        if (!(error instanceof TaskLost)) postpone(kit, error)
      }
      for (const { kitId } of proved) remembered.delete(kitId)
      const issued = proved.filter((kit) => !failed.has(kit))
      for (const { job, kitId } of issued) {
        reached('kit issued')
        log.info({ job_id: job.job_id, kit_id: kitId }, 'kit issued')
        ctx.ended('issued')
      }
      return issued.length
    },
  }
}

/** Step 6: PASS → ISSUED. Throws TaskLost if another node has issued one of them meanwhile, or the log was frozen. */
const issueKits = ({ db, clock, settle }: IssueContext, kits: readonly ProvedJob[]): Promise<void> =>
  transact(db, async (trx) => {
    const now = timestamp(clock.now())
    for (const part of inPowersOfTwo(kits)) await storeIssued(trx, part, now)
    await settle.issued(trx, kits, now)
  })
