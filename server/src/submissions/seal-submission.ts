import { setTimeout as sleep } from 'node:timers/promises'
import { fromUtf8, parseTlogProof, provesReceipt, type Receipt, receiptLeaf } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import { leafRow } from '../database/append-leaf.ts'
import { isShared } from '../database/dialect.ts'
import { inOneRoundTrip } from '../database/in-one-round-trip.ts'
import { SIGNED_IN_TIME } from '../database/guard-definitions.ts'
import type { KitObjectsTable } from '../database/maintenance-schema.ts'
import { type Param, prepared } from '../database/prepared.ts'
import type { Database, Db, SubmissionsTable, KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { inPowersOfTwo, withRows } from '../database/with-rows.ts'
import { keysOfAllKits } from '../keys/keys-of-all-kits.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import { filesOf, type KitProofs } from '../kits/kit-files.ts'
import type { KitLayout } from '../kits/kit-zip.ts'
import { discardKit, KitDoesNotVerify } from '../kits/seal-kit.ts'
import type { LeafProof, TransparencyLog } from '../log/transparency-log.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { NoWorker, WorkerCrashed } from '../runtime/crew.ts'
import type { JobId, KitId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { reached } from '../runtime/steps.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { finishTask, type Task } from '../tasks/tasks.ts'
import { attemptsExhausted, type Blocker, unexaminable } from './blockers.ts'
import type { FinishJob } from './finish-submission.ts'
import type { JobOutcome, MadeKit } from './make-kit.ts'
import { SEAL } from './statuses.ts'
import type { FindToSeal, JobToSeal } from './submissions-to-seal.ts'

/*
 * From evidence to an issued kit. The process may be killed anywhere: what was acknowledged stays, and the rest is done again.
 *
 *   1  queued    The files are synced; one commit has SUBMITTED, the credit and the task. Only then 202 is answered.
 *   2  examined  In a worker. Killed: the task is free once the process has ended or its lease is over, and 2 begins again.
 *   3  sealed    In a worker: binder, manifest and signed receipt become one object, which is synced and then verified as it
 *                will be served, from disk. Killed: as in 2. What was stored is an orphan, and is removed.
 *   4  passed    One commit: PASS, the kit, its leaf, the tree with this leaf, and no task any more. Killed before: as in 2.
 *                Killed after: the kit is issued at the next start, from what is stored.
 *   5  proved    The mark of the log is synced, then the checkpoint is signed, then witnesses may be asked. Killed: the same
 *                tree gives the same checkpoint.
 *   6  issued    One commit: ISSUED, the proof, the credit, the events. Nobody sees the kit before. Killed before: as after 4.
 */

export interface SealingContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  /** This process. */
  readonly node: string
  readonly maxAttempts: number
  readonly objects: Pick<ObjectStore, 'delete'>
  readonly transparencyLog: TransparencyLog
  readonly find: FindToSeal
  /** Steps 2 and 3. Writes nothing to the database. `attempt` is another number each time. */
  readonly makeKit: (found: JobToSeal, attempt: number) => Promise<JobOutcome>
  /** In a worker. */
  readonly verifyStored: (kit: KitLayout, keys: Awaited<ReturnType<typeof keysOfAllKits>>) => Promise<void>
  /** What else follows, in the same commits. */
  readonly settle: FinishJob
  /** Extends the tree in the commit of step 4. False if other nodes and witnesses have to see its sizes in order. */
  readonly growsLog: boolean
  /** Kits wait for their proof. */
  readonly onPassed: () => void
  readonly log: EventLog
  readonly ended: (result: 'issued' | 'failed' | 'given back' | 'lost') => void
}

/** A job whose kit is made. */
export interface SealedJob {
  readonly task: Task
  readonly job: Readonly<SubmissionsTable>
  readonly made: MadeKit
}

export function sealing(ctx: SealingContext, concurrency: number) {
  const issuer = kitIssuer(ctx)
  let inTheMaking = 0
  const pass = passingTogether(ctx, () => inTheMaking > 0)

  async function make(found: JobToSeal, task: Task): Promise<JobOutcome> {
    inTheMaking += 1
    try {
      return await ctx.makeKit(found, task.token)
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
      const outcome = await make(found, task)
      if (outcome.is === 'blocked') return await fail(ctx, task, job, outcome)
      // Its worker takes the next job, while this one waits for others to pass with.
      free()
      await pass({ task, job, made: outcome })
      issuer.remember(outcome)
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
  return { kind: { name: SEAL, concurrency, run } satisfies Kind, issue: () => issuer.issue() }
}

/** SUBMITTED → FAIL, which costs nothing. */
async function fail(
  { db, clock, settle, log, ended }: SealingContext,
  task: Task,
  job: Readonly<SubmissionsTable>,
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
async function afterFailure(
  ctx: SealingContext,
  task: Task,
  job: Readonly<SubmissionsTable>,
  error: unknown,
): Promise<Outcome> {
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

const ENVIRONMENT_ERRORS = new Set<string>([...MACHINE_FAILURES, 'ENOMEM'])
/** Errors of workers have lost their class. */
const ENVIRONMENT_NAMES = new Set(['ObjectsUnavailable', 'KeyEnded', 'KeyUnusable', 'ImplausibleTime'])

/** A full disk or an unplugged token must not fail jobs: they wait until it is fixed. */
function isEnvironmentError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (
    error instanceof NoWorker ||
    ENVIRONMENT_ERRORS.has(code) ||
    ENVIRONMENT_NAMES.has(error.name) ||
    isUnavailable(error)
  )
}

export class TaskLost extends Error {
  override readonly name = 'TaskLost'
}

/** The key was retired or revoked while the kit was being sealed. The kit must be sealed again. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
}

const MAX_BATCH = 32
/** How long a batch waits for kits that are being made. */
const GATHER_MS = 25

interface Waiting extends SealedJob {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Step 4, in batches: what is waiting when the batch before has ended. Rejects with TaskLost or KeyEnded if nothing of the kit is stored. */
export function passingTogether(
  ctx: PassContext,
  isMore: () => boolean = () => false,
): (job: SealedJob) => Promise<void> {
  const waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      if (isMore()) await sleep(GATHER_MS)
      await pass(waiting.splice(0, MAX_BATCH))
    }
    isRunning = false
  }

  async function pass(batch: readonly Waiting[], together = true): Promise<void> {
    try {
      await passJobs(ctx, batch, together && ctx.growsLog)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      // Neither the log nor one job may hold up the others of a batch.
      if (together && !isUnavailable(error)) for (const each of batch) await pass([each], false)
      else for (const { made, reject } of batch) await discard(ctx, made, error).finally(() => reject(error))
    }
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...job, resolve, reject })
      if (!isRunning) void run()
    })
}

/** Only after these errors is it certain that the kit is not stored. Otherwise its objects stay. */
async function discard({ objects }: PassContext, { kit }: MadeKit, error: unknown): Promise<void> {
  if (error instanceof TaskLost || error instanceof KeyEnded)
    await discardKit(objects, parseEntries(kit.entries)).catch(() => {})
}

type PassContext = Pick<SealingContext, 'db' | 'clock' | 'node' | 'objects' | 'transparencyLog' | 'growsLog'>

/** The commit of step 4. */
export async function passJobs(
  { db, clock, node, transparencyLog }: Omit<PassContext, 'growsLog' | 'objects'>,
  batch: readonly SealedJob[],
  growsLog: boolean,
): Promise<void> {
  const commit = growsLog ? transparencyLog.commit : (work: (trx: Db) => Promise<void>) => transact(db, work)
  const objects = batch.flatMap(({ made }) => objectsOf(made))
  const hashes = objects.map(({ sha256 }) => sha256)
  await referenceObjects(db, hashes, () =>
    commit(async (trx) => {
      for (const { task } of batch)
        if (!(await finishTask(trx, task))) throw new TaskLost(`${task.key} was taken over`)
      for (const part of inPowersOfTwo(batch)) {
        await moveJobs(trx, part, node, timestamp(clock.now()))
        await storeKits(trx, part)
      }
      for (const { made } of batch) await made.also?.(trx)
    }),
  )
  reached('job passed')
}

async function moveJobs(trx: Db, batch: readonly SealedJob[], node: string, now: string): Promise<void> {
  const rows = batch.map(({ job, made: { findings = [] } }) => {
    return { id: job.job_id, found: JSON.stringify(findings) }
  })
  const { length } = await withRows(trx, 'sealed', rows)
    .updateTable('submissions')
    .from('sealed')
    .set((eb) => ({
      status: 'PASS',
      job_updated_at: notEarlier(now),
      sealed_by: node,
      findings: eb.ref('sealed.found'),
    }))
    .whereRef('submissions.job_id', '=', 'sealed.id')
    .where('submissions.status', '=', 'SUBMITTED')
    .returning('submissions.job_id')
    .execute()
  if (length !== rows.length) throw new TaskLost('a job has ended otherwise')
}

async function storeKits(trx: Db, batch: readonly SealedJob[]): Promise<void> {
  const kits = batch.map(({ made }) => made.kit)
  const objects = batch.flatMap(({ made }) => objectsOf(made))
  try {
    await inOneRoundTrip(trx, [
      trx.insertInto('kits').values(kits),
      trx.insertInto('log_leaves').values(kits.map(receiptLeafRow)),
      ...(objects.length === 0 ? [] : [trx.insertInto('kit_objects').values(objects)]),
    ])
  } catch (error) {
    // The database knows which keys may sign.
    throw error instanceof Error && error.message.includes(SIGNED_IN_TIME)
      ? new KeyEnded(kits.map(({ public_key_kid }) => public_key_kid).join(' '), { cause: error })
      : error
  }
}

const receiptLeafRow = ({ kit_id, receipt }: KitsTable) =>
  leafRow(receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest), kit_id)

/** The objects that a kit refers to, except those that its submission refers to. */
function objectsOf({ kit, evidence = [] }: MadeKit): readonly Readonly<KitObjectsTable>[] {
  const { kit_id, entries } = kit
  const objects = new Set(parseEntries(entries).map(({ object }) => object))
  for (const sha256 of evidence) objects.delete(sha256)
  return [...objects].map((sha256) => ({ sha256, kit_id }))
}

/** Steps 5 and 6, for kits whose leaf is in the tree: those of this process, and those that another one has left. */
export interface KitIssuer {
  /** Keeps a kit that this process has sealed and verified, so that it need not be read again. */
  remember(made: Pick<MadeKit, 'kit'>): void
  /** Issues a batch of kits; returns how many. None if the log is frozen. */
  issue(): Promise<number>
}

export type IssueContext = Pick<
  SealingContext,
  'db' | 'clock' | 'node' | 'transparencyLog' | 'verifyStored' | 'settle' | 'log' | 'ended'
>

interface PassedJob {
  readonly job: Readonly<SubmissionsTable>
  readonly kitId: KitId
  readonly leafIndex: number
}

interface ReadyKit extends PassedJob {
  readonly proofs: KitProofs
}

const ISSUED_TOGETHER = 100
/** Kits in memory, each with its generated files. */
const MAX_REMEMBERED = 100
/** How long to wait with a kit that could not be issued. */
const POSTPONE_MS = 60_000
/** After this time another node issues what a node has left. */
const LEFT_MS = 10_000

export function kitIssuer(ctx: IssueContext): KitIssuer {
  const { db, clock, node, transparencyLog, log } = ctx
  const sealed = new Map<KitId, Pick<MadeKit, 'kit'>>()
  const postponed = new Map<KitId, number>()
  const findPassed = prepared(db, (param: Param<{ left: string }>) => passedJobs(db, node, param('left')))

  async function waiting(): Promise<readonly PassedJob[]> {
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

  function postpone({ job, kitId }: PassedJob, error: unknown): void {
    log.error({ err: error, job_id: job.job_id }, 'the kit could not be issued')
    postponed.set(kitId, clock.now() + POSTPONE_MS)
  }

  /** The kits whose proof is complete, with it. */
  async function prove(jobs: readonly PassedJob[]): Promise<readonly ReadyKit[]> {
    const proveLeaf = transparencyLog.prover(await transparencyLog.published())
    const ready: ReadyKit[] = []
    for (const passed of jobs) {
      const proof = await proveLeaf(passed.leafIndex)
      // No checkpoint with its leaf is published yet.
      if (proof === undefined) continue
      const made = sealed.get(passed.kitId)
      try {
        ready.push({
          ...passed,
          proofs: await checkedProof(ctx, passed.kitId, proof, made?.kit),
        })
      } catch (error) {
        postpone(passed, error)
      }
    }
    return ready
  }

  /** One commit for all. If it fails because of one kit, the others are issued without it. */
  async function issueAll(kits: readonly ReadyKit[]): Promise<readonly ReadyKit[]> {
    try {
      return await transact(db, (trx) => issueIn(trx, ctx, kits))
    } catch (error) {
      if (isUnavailable(error)) throw error
      const [kit] = kits
      if (kits.length === 1 && kit !== undefined) {
        postpone(kit, error)
        return []
      }
      const issued: ReadyKit[] = []
      for (const each of kits) issued.push(...(await issueAll([each])))
      return issued
    }
  }

  return {
    remember(made) {
      sealed.set(made.kit.kit_id, made)
      const [oldest] = sealed.keys()
      if (sealed.size > MAX_REMEMBERED && oldest !== undefined) sealed.delete(oldest)
    },

    async issue() {
      const passed = await waiting()
      if (passed.length === 0) return 0
      const ready = await prove(passed)
      const issued = ready.length === 0 ? [] : await issueAll(ready)
      for (const { kitId } of ready) sealed.delete(kitId)
      for (const { job, kitId } of issued) {
        reached('kit issued')
        log.info({ job_id: job.job_id, kit_id: kitId }, 'kit issued')
        ctx.ended('issued')
      }
      return issued.length
    },
  }
}

/** In the order of the log. None if it is frozen. */
const passedJobs = (db: Kysely<Database>, node: string, left: string) =>
  db
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .innerJoin('log', (join) => join.on('log.frozen_at', 'is', null))
    .selectAll('submissions')
    .select(['kits.kit_id as passed_kit_id', 'log_leaves.leaf_index'])
    .where('submissions.status', '=', 'PASS')
    .where('log_leaves.leaf_index', 'is not', null)
    .where((eb) =>
      eb.or([eb('submissions.sealed_by', '=', node), eb('submissions.job_updated_at', '<=', left)]),
    )
    // The sum keeps the database from walking through all leaves in this order.
    .orderBy(sql`log_leaves.leaf_index + 0`)
    .limit(ISSUED_TOGETHER)

/** Checks that the proof is for this kit. Verifies the kit as it will be served, unless this process did so when it sealed it. */
async function checkedProof(
  { db, verifyStored }: IssueContext,
  kitId: KitId,
  proof: LeafProof,
  sealed: KitsTable | undefined,
): Promise<KitProofs> {
  const row = sealed ?? (await readKit(db, kitId))
  const logProof = fromUtf8(proof.bytes)
  const receipt = JSON.parse(row.receipt) as Receipt
  if (logProof === undefined || !provesReceipt(parseTlogProof(proof.bytes), receipt, nodeHost.digest))
    throw new KitDoesNotVerify(`the log proof is not for kit ${kitId}`)
  const timeStamp = proof.timeStamp === undefined ? null : Buffer.from(proof.timeStamp).toString('base64')
  if (sealed === undefined) {
    const entries = filesOf({ ...row, log_proof: logProof, time_stamp: timeStamp })
    // Its key may have been revoked since it was signed.
    await verifyStored({ kitId, issuedAt: row.issued_at, entries }, await keysOfAllKits(db))
  }
  return { logProof, timeStamp }
}

function readKit(db: Db, kitId: KitId) {
  return db
    .selectFrom('kits')
    .select(['issued_at', 'receipt', 'entries'])
    .where('kit_id', '=', kitId)
    .executeTakeFirstOrThrow()
}

/** The commit of step 6. Leaves out kits that another node has issued meanwhile, and all if the log was frozen. */
async function issueIn(
  trx: Db,
  { clock, settle }: IssueContext,
  kits: readonly ReadyKit[],
): Promise<readonly ReadyKit[]> {
  const now = timestamp(clock.now())
  const issued: ReadyKit[] = []
  for (const part of inPowersOfTwo(kits.toSorted(byWorkspace))) {
    const kitIds = await storeProofs(trx, part)
    const mine = part.filter(({ kitId }) => kitIds.has(kitId))
    if (mine.length > 0) await endJobs(trx, mine, now)
    issued.push(...mine)
  }
  if (issued.length > 0) await settle.issued(trx, issued, now)
  return issued
}

/** Returns the kits that had no proof yet. */
async function storeProofs(trx: Db, kits: readonly ReadyKit[]): Promise<ReadonlySet<KitId>> {
  const rows = kits.map(({ kitId, proofs }) => {
    return { id: kitId, proof: proofs.logProof, stamp: proofs.timeStamp }
  })
  const stored = await withRows(trx, 'proved', rows)
    .updateTable('kits')
    .from('proved')
    .set((eb) => ({ log_proof: eb.ref('proved.proof'), time_stamp: eb.ref('proved.stamp') }))
    .whereRef('kits.kit_id', '=', 'proved.id')
    .where('kits.log_proof', 'is', null)
    .where(({ exists, selectFrom }) => exists(selectFrom('log').select('id').where('frozen_at', 'is', null)))
    .returning('kits.kit_id')
    .execute()
  return new Set(stored.map(({ kit_id }) => kit_id))
}

async function endJobs(trx: Db, kits: readonly ReadyKit[], now: string): Promise<void> {
  const rows = kits.map(({ job, kitId }) => ({ job: job.job_id, kit: kitId }))
  await withRows(trx, 'issued', rows)
    .updateTable('submissions')
    .from('issued')
    .set((eb) => ({ status: 'ISSUED', kit_id: eb.ref('issued.kit'), job_updated_at: notEarlier(now) }))
    .whereRef('submissions.job_id', '=', 'issued.job')
    .execute()
}

/** Concurrent transactions lock the workspaces in the same order. */
function byWorkspace({ job: a }: ReadyKit, { job: b }: ReadyKit): number {
  const [first, second] = [`${a.workspace_id ?? ''} ${a.job_id}`, `${b.workspace_id ?? ''} ${b.job_id}`]
  return first < second ? -1 : 1
}

/** The time of a job never goes back. */
const notEarlier = (now: string) =>
  sql<string>`case when job_updated_at > ${now} then job_updated_at else ${now} end`
