import { type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { type Param, prepared } from '../database/prepared.ts'
import type { Database, JobStatus, JobsTable } from '../database/schema.ts'
import type { JobId } from '../runtime/identifiers.ts'
import type { Blocker } from '../submissions/blockers.ts'

/** A claim on a job. The jobs table is the queue; a lease expires unless its worker renews it. */
export interface Lease {
  readonly jobId: JobId
  /** Fencing token, incremented by every claim and checked by every write. */
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

/** Claims the oldest waiting job without a lease, of the workspace that comes after this one. */
export async function claimJob(leases: Leases, after: Turn = FIRST_TURN): Promise<ClaimedJob | undefined> {
  return (await claimingJobs(leases)(after))[0]
}

/**
 * Claims the oldest waiting jobs of the workspace that comes after this one, up to so many. Workspaces take turns, so that
 * one with many jobs does not delay the others. At most one of the jobs is a retry.
 */
export type ClaimJobs = (after: Turn) => Promise<readonly ClaimedJob[]>

export function claimingJobs(leases: Leases, most = 1): ClaimJobs {
  const { db, clock, owner, leaseMs } = leases
  const claim = prepared(db, (param: Param<Claim>) =>
    db
      .with(
        (picked) => picked('picked').materialized(),
        () => waitingJobs(db, param('now'), param('after'), most),
      )
      .updateTable('jobs')
      .set((eb) => ({
        lease_owner: owner,
        lease_until: param('until'),
        lease_token: eb('lease_token', '+', 1),
        attempts: eb('attempts', '+', 1),
      }))
      .where('job_id', 'in', (eb) => eb.selectFrom('picked').select('job_id'))
      .where('status', '=', 'SUBMITTED')
      .returningAll(),
  )
  return async (after) => {
    const now = clock.now()
    const rows = await claim({ now: timestamp(now), until: timestamp(now + leaseMs), after })
    const claimed = rows
      .toSorted((a, b) => (`${a.created_at} ${a.job_id}` < `${b.created_at} ${b.job_id}` ? -1 : 1))
      .map((job) => ({ job, lease: { jobId: job.job_id, token: job.lease_token } }))
    const [, ...tooMany] = claimed.filter(({ job }) => job.attempts > 1)
    for (const { lease } of tooMany) await releaseLease(leases, lease, 0, false)
    return claimed.filter((each) => !tooMany.includes(each))
  }
}

interface Claim {
  readonly now: string
  readonly until: string
  readonly after: Turn
}

/** The workspace of a claimed job. Jobs without one take turns as if they had one in common. */
export type Turn = string
export const FIRST_TURN: Turn = ''
export const turnOf = ({ job }: ClaimedJob): Turn => job.workspace_id ?? FIRST_TURN

/** The oldest jobs without a lease of the workspace after another, or of the first one. */
export function waitingJobs(db: Kysely<Database>, now: string, after: Turn, most: number) {
  const unclaimed = db
    .selectFrom('jobs')
    .where('status', '=', 'SUBMITTED')
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    // Nodes that poll at the same time claim different jobs, without waiting.
    .forUpdate()
    .skipLocked()
  const inTurn = unclaimed.select(TURN.as('turn')).orderBy(TURN).orderBy('created_at').orderBy('job_id')
  const next = inTurn.where(TURN, '>', after).limit(1)
  return unclaimed
    .select('job_id')
    .where(TURN, '=', (eb) => eb.fn.coalesce(next, inTurn.limit(1)))
    .orderBy('created_at')
    .orderBy('job_id')
    .limit(most)
}

// As in the index.
const TURN = sql<string>`coalesce(workspace_id, '')`

/** Returns false if the lease is lost. */
export async function renewLease(leases: Leases, lease: Lease): Promise<boolean> {
  const until = timestamp(leases.clock.now() + leases.leaseMs)
  return changedOne(await updateLeased(leases.db, lease).set({ lease_until: until }).executeTakeFirst())
}

/** Releases the job, to be claimed again after `delayMs`. `counted`: whether this counts as an attempt. */
export async function releaseLease(
  leases: Leases,
  lease: Lease,
  delayMs: number,
  counted: boolean,
): Promise<void> {
  const until = delayMs === 0 ? null : timestamp(leases.clock.now() + delayMs)
  await updateLeased(leases.db, lease)
    .set((eb) => ({
      lease_owner: null,
      lease_until: until,
      attempts: counted ? eb.ref('attempts') : eb('attempts', '-', 1),
    }))
    .execute()
}

/** SUBMITTED → FAIL. Returns false if the lease is lost. */
export async function failJob(
  trx: Kysely<Database>,
  lease: Lease,
  { blockers, findings }: { readonly blockers: readonly Blocker[]; readonly findings?: readonly object[] },
  now: string,
): Promise<boolean> {
  const result = await updateLeased(trx, lease)
    .set({
      status: 'FAIL',
      updated_at: notEarlier(now),
      blockers: JSON.stringify(blockers),
      findings: findings === undefined ? null : JSON.stringify(findings),
      lease_owner: null,
      lease_until: null,
    })
    .executeTakeFirst()
  return changedOne(result)
}

/** Releases the leases of processes that have ended, so that nobody waits for them to expire. */
export async function releaseLeasesOf(
  db: Kysely<Database>,
  isGone: (owner: string) => boolean,
): Promise<number> {
  let released = 0
  for (const status of ['SUBMITTED', 'PASS'] as const) released += await releaseIn(db, status, isGone)
  return released
}

async function releaseIn(
  db: Kysely<Database>,
  status: JobStatus,
  isGone: (owner: string) => boolean,
): Promise<number> {
  const owners = await db
    .selectFrom('jobs')
    .select('lease_owner')
    .distinct()
    .where('status', '=', status)
    .where('lease_owner', 'is not', null)
    .execute()
  const gone = owners.flatMap(({ lease_owner }) =>
    lease_owner !== null && isGone(lease_owner) ? [lease_owner] : [],
  )
  if (gone.length === 0) return 0
  const result = await db
    .updateTable('jobs')
    .set((eb) => ({ lease_owner: null, lease_until: null, lease_token: eb('lease_token', '+', 1) }))
    .where('status', '=', status)
    .where('lease_owner', 'in', gone)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** An update of the job that has no effect if the lease is lost. */
export function updateLeased(db: Kysely<Database>, lease: Lease) {
  return db
    .updateTable('jobs')
    .where('job_id', '=', lease.jobId)
    .where('lease_token', '=', lease.token)
    .where('status', '=', 'SUBMITTED')
}

/** For `updated_at`: the time of a job never goes back. */
export const notEarlier = (now: string) =>
  sql<string>`case when updated_at > ${now} then updated_at else ${now} end`

const changedOne = (result: { readonly numUpdatedRows: bigint }): boolean => result.numUpdatedRows === 1n
