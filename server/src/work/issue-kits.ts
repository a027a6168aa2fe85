// docs/decisions/0341
import { type Kysely, sql } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Database, JobStatus, JobsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { FinishJob } from '../submissions/job-outcome.ts'
import type { SealedJobKit } from '../kits/seal-kit.ts'
import { readFrozen } from '../log/freeze-log.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { EventLog } from '../runtime/logger.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { reached } from '../runtime/steps.ts'
import { addProof, type ProvedKit } from './add-proof.ts'
import { type Leases, notEarlier } from './leases.ts'

export interface IssueContext extends Leases {
  readonly objects: ObjectStore
  readonly transparencyLog: TransparencyLog
  readonly settle: FinishJob
  readonly log: EventLog
  readonly ended: (result: 'issued') => void
}

/** Issues kits whose leaf is in the log. */
export interface KitIssuer {
  /** Keeps a kit that this process has sealed, so that it need not be read again. */
  remember(kit: SealedJobKit): void
  /** Issues a batch of kits; returns how many. None if the log is frozen. */
  issue(): Promise<number>
}

interface PassedJob {
  readonly job: Readonly<JobsTable>
  readonly kitId: KitId
  readonly leafIndex: number
}

type ReadyKit = PassedJob & { readonly proved: ProvedKit }

const BATCH = 100
/** Kits in memory, each with its generated files. */
const MAX_REMEMBERED = 100
/** How long to wait with a kit that could not be issued. */
const POSTPONE_MS = 60_000
// A literal, because with a parameter the database would not use the partial index.
const PASS = sql.lit<JobStatus>('PASS')

export function kitIssuer(ctx: IssueContext): KitIssuer {
  const sealed = new Map<KitId, SealedJobKit>()

  async function prove(jobs: readonly PassedJob[]): Promise<readonly ReadyKit[]> {
    const proveLeaf = ctx.transparencyLog.prover(await ctx.transparencyLog.published())
    const ready: ReadyKit[] = []
    for (const passed of jobs) {
      const proof = await proveLeaf(passed.leafIndex)
      // No checkpoint with its leaf is published yet.
      if (proof === undefined) continue
      try {
        ready.push({ ...passed, proved: await addProof(ctx, passed.kitId, proof, sealed.get(passed.kitId)) })
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
    remember(kit) {
      sealed.set(kit.row.kit_id, kit)
      const [oldest] = sealed.keys()
      if (sealed.size > MAX_REMEMBERED && oldest !== undefined) sealed.delete(oldest)
    },

    async issue() {
      const jobs = await passedJobs(ctx)
      if (jobs.length === 0 || (await readFrozen(ctx.db)) !== undefined) return 0
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

/** Jobs of this process, and those whose process did not finish them in time. */
async function passedJobs({ db, clock, owner }: IssueContext): Promise<readonly PassedJob[]> {
  const now = timestamp(clock.now())
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .selectAll('jobs')
    .select(['kits.kit_id as passed_kit_id', 'log_leaves.leaf_index'])
    .where('jobs.status', '=', PASS)
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
    .execute()
  return rows.map(({ passed_kit_id: kitId, leaf_index, ...job }) => ({
    job,
    kitId,
    leafIndex: Number(leaf_index),
  }))
}

/** PASS → ISSUED. Leaves out kits that another process has issued meanwhile. */
async function issueIn(
  trx: Kysely<Database>,
  { clock, settle }: IssueContext,
  kits: readonly ReadyKit[],
): Promise<readonly ReadyKit[]> {
  const now = timestamp(clock.now())
  const issued: ReadyKit[] = []
  if ((await readFrozen(trx)) !== undefined) return []
  for (const together of inPowersOfTwo(kits.toSorted(byWorkspace))) {
    const kitIds = await storeProofs(trx, together)
    const mine = together.filter(({ kitId }) => kitIds.has(kitId))
    if (mine.length === 0) continue
    await trx
      .updateTable('jobs')
      .set((eb) => ({
        status: 'ISSUED',
        kit_id: eb.selectFrom('kits').select('kits.kit_id').whereRef('kits.job_id', '=', 'jobs.job_id'),
        updated_at: notEarlier(now),
        lease_owner: null,
        lease_until: null,
      }))
      .where(
        'job_id',
        'in',
        mine.map(({ job }) => job.job_id),
      )
      .execute()
    await settle.issued(trx, mine, now)
    issued.push(...mine)
  }
  reached('kit issuing')
  return issued
}

const MAX_TOGETHER = 32

/** Databases prepare each statement once, so there must not be one for every number of kits. */
function inPowersOfTwo<T>(all: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = []
  for (let at = 0; at < all.length;) {
    const size = Math.min(MAX_TOGETHER, 2 ** Math.floor(Math.log2(all.length - at)))
    parts.push(all.slice(at, at + size))
    at += size
  }
  return parts
}

/** Returns the kits that had no proof yet. */
async function storeProofs(trx: Kysely<Database>, kits: readonly ReadyKit[]): Promise<ReadonlySet<KitId>> {
  const values = kits.map(
    ({ kitId, proved }) => sql`(${kitId}, ${proved.logProof}, ${proved.timeStamp}, ${proved.zipSha256})`,
  )
  const { rows } = await sql<{ kit_id: KitId }>`
    update kits set log_proof = proved.column2, time_stamp = proved.column3, zip_sha256 = proved.column4
    from (values ${sql.join(values)}) as proved
    where kits.kit_id = proved.column1 and kits.log_proof is null
    returning kit_id`.execute(trx)
  return new Set(rows.map(({ kit_id }) => kit_id))
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
    .where('status', '=', PASS)
    .execute()
}
