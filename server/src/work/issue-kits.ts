import { type Kysely, sql } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import { type Param, prepared } from '../database/prepared.ts'
import type { Database, JobsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { inPowersOfTwo, withRows } from '../database/with-rows.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { FinishJob, MadeKit } from '../submissions/job-outcome.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { EventLog } from '../runtime/logger.ts'
import { reached } from '../runtime/steps.ts'
import type { KitProofs } from '../kits/kit-files.ts'
import { addProof } from './add-proof.ts'
import type { CrewOfService } from './crew-functions.ts'
import { type Leases, notEarlier } from './leases.ts'

export interface IssueContext extends Leases {
  readonly crew: Pick<CrewOfService, 'run'>
  readonly transparencyLog: TransparencyLog
  readonly settle: FinishJob
  readonly log: EventLog
  readonly ended: (result: 'issued') => void
}

/** Issues kits whose leaf is in the log. */
export interface KitIssuer {
  /** Keeps a kit that this process has sealed, so that it need not be read again. */
  remember(made: Pick<MadeKit, 'kit' | 'submission'>): void
  /** Issues a batch of kits; returns how many. None if the log is frozen. */
  issue(): Promise<number>
}

interface PassedJob {
  readonly job: Readonly<JobsTable>
  readonly kitId: KitId
  readonly leafIndex: number
}

interface ReadyKit extends PassedJob {
  readonly proved: KitProofs
  /** Undefined if it has to be read. */
  readonly submission: MadeKit['submission']
}

const BATCH = 100
/** Kits in memory, each with its generated files. */
const MAX_REMEMBERED = 100
/** How long to wait with a kit that could not be issued. */
const POSTPONE_MS = 60_000

export function kitIssuer(ctx: IssueContext): KitIssuer {
  const sealed = new Map<KitId, Pick<MadeKit, 'kit' | 'submission'>>()
  const findPassed = prepared(ctx.db, (param: Param<{ now: string }>) =>
    passedJobs(ctx.db, ctx.owner, param('now')),
  )

  /** The kits whose proof is complete, with it. */
  async function prove(jobs: readonly PassedJob[]): Promise<readonly ReadyKit[]> {
    const proveLeaf = ctx.transparencyLog.prover(await ctx.transparencyLog.published())
    const ready: ReadyKit[] = []
    for (const passed of jobs) {
      const proof = await proveLeaf(passed.leafIndex)
      // No checkpoint with its leaf is published yet.
      if (proof === undefined) continue
      const made = sealed.get(passed.kitId)
      try {
        const proved = await addProof(ctx, passed.kitId, proof, made?.kit)
        ready.push({ ...passed, submission: made?.submission, proved })
      } catch (error) {
        await postpone(ctx, passed, error)
      }
    }
    return ready
  }

  /** One transaction for all. If it fails because of one kit, the others are issued without it. */
  async function issueAll(kits: readonly ReadyKit[]): Promise<readonly ReadyKit[]> {
    try {
      return await transact(ctx.db, (trx) => issueIn(trx, ctx, kits))
    } catch (error) {
      if (isUnavailable(error)) throw error
      const [kit] = kits
      if (kits.length === 1 && kit !== undefined) {
        await postpone(ctx, kit, error)
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
      const rows = await findPassed({ now: timestamp(ctx.clock.now()) })
      if (rows.length === 0) return 0
      const jobs = rows.map(({ passed_kit_id: kitId, leaf_index, ...job }) => ({
        job,
        kitId,
        leafIndex: Number(leaf_index),
      }))
      const ready = await prove(jobs)
      const issued = ready.length === 0 ? [] : await issueAll(ready)
      for (const { kitId } of ready) sealed.delete(kitId)
      for (const { job, kitId } of issued) {
        reached('kit issued')
        ctx.log.info({ job_id: job.job_id, kit_id: kitId, attempts: job.attempts }, 'kit issued')
        ctx.ended('issued')
      }
      return issued.length
    },
  }
}

/** Jobs of this process, and those whose process did not finish them in time. None if the log is frozen. */
const passedJobs = (db: Kysely<Database>, owner: string, now: string) =>
  db
    .selectFrom('jobs')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .innerJoin('log', (join) => join.on('log.frozen_at', 'is', null))
    .selectAll('jobs')
    .select(['kits.kit_id as passed_kit_id', 'log_leaves.leaf_index'])
    .where('jobs.status', '=', 'PASS')
    .where('log_leaves.leaf_index', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('jobs.lease_owner', '=', owner),
        eb('jobs.lease_until', 'is', null),
        eb('jobs.lease_until', '<=', now),
      ]),
    )
    // In the order of the log. The sum keeps the database from walking through all leaves in this order.
    .orderBy(sql`log_leaves.leaf_index + 0`)
    .limit(BATCH)

/** PASS → ISSUED. Leaves out kits that another process has issued meanwhile, and all if the log was frozen. */
async function issueIn(
  trx: Kysely<Database>,
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
async function storeProofs(trx: Kysely<Database>, kits: readonly ReadyKit[]): Promise<ReadonlySet<KitId>> {
  const rows = kits.map(({ kitId, proved }) => ({
    id: kitId,
    proof: proved.logProof,
    stamp: proved.timeStamp,
  }))
  const stored = await withRows(trx, 'proved', rows)
    .updateTable('kits')
    .from('proved')
    .set((eb) => ({
      log_proof: eb.ref('proved.proof'),
      time_stamp: eb.ref('proved.stamp'),
    }))
    .whereRef('kits.kit_id', '=', 'proved.id')
    .where('kits.log_proof', 'is', null)
    .where(({ exists, selectFrom }) => exists(selectFrom('log').select('id').where('frozen_at', 'is', null)))
    .returning('kits.kit_id')
    .execute()
  return new Set(stored.map(({ kit_id }) => kit_id))
}

async function endJobs(trx: Kysely<Database>, kits: readonly ReadyKit[], now: string): Promise<void> {
  const rows = kits.map(({ job, kitId }) => ({ job: job.job_id, kit: kitId }))
  await withRows(trx, 'issued', rows)
    .updateTable('jobs')
    .from('issued')
    .set((eb) => ({
      status: 'ISSUED',
      kit_id: eb.ref('issued.kit'),
      updated_at: notEarlier(now),
      lease_owner: null,
      lease_until: null,
    }))
    .whereRef('jobs.job_id', '=', 'issued.job')
    .execute()
}

/** Concurrent transactions lock the workspaces in the same order. */
function byWorkspace({ job: a }: ReadyKit, { job: b }: ReadyKit): number {
  const [first, second] = [`${a.workspace_id ?? ''} ${a.job_id}`, `${b.workspace_id ?? ''} ${b.job_id}`]
  return first < second ? -1 : 1
}

async function postpone({ db, clock, log }: IssueContext, { job }: PassedJob, error: unknown): Promise<void> {
  log.error({ err: error, job_id: job.job_id }, 'the kit could not be issued')
  await db
    .updateTable('jobs')
    .set({ lease_owner: null, lease_until: timestamp(clock.now() + POSTPONE_MS) })
    .where('job_id', '=', job.job_id)
    .where('status', '=', 'PASS')
    .execute()
}
