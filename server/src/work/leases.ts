// docs/decisions/0100
import { type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database, JobStatus, JobsTable } from '../database/schema.ts'
import type { JobId } from '../identifiers.ts'
import type { Blocker } from '../intake/blockers.ts'

/** The job row is the queue. A claim is a lease: it is renewed while work goes on, and whoever is silent loses it. */
export interface Lease {
  readonly jobId: JobId
  /** Fencing: every claim has a higher one, and every write of a worker names its own. */
  readonly token: number
}

export interface ClaimedJob {
  readonly lease: Lease
  readonly job: Readonly<JobsTable>
}

export interface Leases {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly owner: string
  readonly leaseMs: number
}

// Literal, not a parameter: only then does the database see that the partial index of waiting jobs applies.
const SUBMITTED = sql.lit<JobStatus>('SUBMITTED')

/** The oldest waiting job that nobody holds. */
export async function claimJob(leases: Leases): Promise<ClaimedJob | undefined> {
  const now = leases.clock.now()
  const job = await leases.db
    .updateTable('jobs')
    .set((eb) => ({
      lease_owner: leases.owner,
      lease_until: timestamp(now + leases.leaseMs),
      lease_token: eb('lease_token', '+', 1),
      attempts: eb('attempts', '+', 1),
    }))
    .where('job_id', '=', oldestUnheld(leases.db, timestamp(now)))
    .where('status', '=', SUBMITTED)
    .returningAll()
    .executeTakeFirst()
  return job === undefined ? undefined : { job, lease: { jobId: job.job_id, token: job.lease_token } }
}

export function oldestUnheld(db: Kysely<Database>, now: string) {
  return (
    db
      .selectFrom('jobs')
      .select('job_id')
      .where('status', '=', SUBMITTED)
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
      .orderBy('created_at')
      .orderBy('job_id')
      .limit(1)
      // Of several nodes that look at once each takes another job, and none waits.
      .forUpdate()
      .skipLocked()
  )
}

/** False where the lease is lost: another worker has the job, or it has come to its end. */
export async function renewLease(leases: Leases, lease: Lease): Promise<boolean> {
  const until = timestamp(leases.clock.now() + leases.leaseMs)
  return changed(await held(leases.db, lease).set({ lease_until: until }).executeTakeFirst())
}

/** Gives the job back, to be claimed again after `delayMs`; `counted` is whether the attempt was the job's own. */
export async function giveBack(
  leases: Leases,
  lease: Lease,
  delayMs: number,
  counted: boolean,
): Promise<void> {
  const until = delayMs === 0 ? null : timestamp(leases.clock.now() + delayMs)
  await held(leases.db, lease)
    .set((eb) => ({
      lease_owner: null,
      lease_until: until,
      attempts: counted ? eb.ref('attempts') : eb('attempts', '-', 1),
    }))
    .execute()
}

/** SUBMITTED → FAIL, by the worker that still holds the job. False where the lease is lost. `trx` is a transaction. */
export async function failJob(
  trx: Kysely<Database>,
  lease: Lease,
  blockers: readonly Blocker[],
  now: string,
): Promise<boolean> {
  const result = await held(trx, lease)
    .set({
      status: 'FAIL',
      updated_at: now,
      blockers: JSON.stringify(blockers),
      lease_owner: null,
      lease_until: null,
    })
    .executeTakeFirst()
  return changed(result)
}

/** A process that was killed can't give back what it held; its leases need not be waited for. */
export async function releaseLeasesOf(
  db: Kysely<Database>,
  isGone: (owner: string) => boolean,
): Promise<number> {
  const owners = await db
    .selectFrom('jobs')
    .select('lease_owner')
    .distinct()
    .where('status', '=', SUBMITTED)
    .where('lease_owner', 'is not', null)
    .execute()
  const gone = owners.flatMap(({ lease_owner }) =>
    lease_owner !== null && isGone(lease_owner) ? [lease_owner] : [],
  )
  if (gone.length === 0) return 0
  const result = await db
    .updateTable('jobs')
    .set((eb) => ({ lease_owner: null, lease_until: null, lease_token: eb('lease_token', '+', 1) }))
    .where('status', '=', SUBMITTED)
    .where('lease_owner', 'in', gone)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export function held(db: Kysely<Database>, lease: Lease) {
  return db
    .updateTable('jobs')
    .where('job_id', '=', lease.jobId)
    .where('lease_token', '=', lease.token)
    .where('status', '=', SUBMITTED)
}

const changed = (result: { readonly numUpdatedRows: bigint }): boolean => result.numUpdatedRows === 1n
