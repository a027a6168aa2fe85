// docs/decisions/0100, docs/decisions/0441
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { isShared } from '../database/dialect.ts'
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

// A literal, because with a parameter the database would not use the partial index.
const SUBMITTED = sql.lit<JobStatus>('SUBMITTED')
const PASS = sql.lit<JobStatus>('PASS')

/** Claims the oldest waiting job without a lease, of the workspace that comes after this one. */
export async function claimJob(leases: Leases, after: Turn = FIRST_TURN): Promise<ClaimedJob | undefined> {
  return (await claimJobs(leases, after, 1))[0]
}

/**
 * Claims the oldest waiting jobs of the workspace that comes after this one, up to so many. Workspaces take turns, so that
 * one with many jobs does not delay the others. At most one of the jobs is a retry.
 */
export async function claimJobs(leases: Leases, after: Turn, most: number): Promise<readonly ClaimedJob[]> {
  const { db, owner, leaseMs } = leases
  const nowMs = leases.clock.now()
  const now = timestamp(nowMs)
  const values = [now, now, after, now, owner, timestamp(nowMs + leaseMs)]
  const claim = CompiledQuery.raw(claimText(isShared(db), most), values)
  const { rows } = await db.executeQuery<JobsTable>(claim)
  const claimed = rows
    .toSorted((a, b) => (`${a.created_at} ${a.job_id}` < `${b.created_at} ${b.job_id}` ? -1 : 1))
    .map((job) => ({ job, lease: { jobId: job.job_id, token: job.lease_token } }))
  const [, ...tooMany] = claimed.filter(({ job }) => job.attempts > 1)
  for (const { lease } of tooMany) await releaseLease(leases, lease, 0, false)
  return claimed.filter((each) => !tooMany.includes(each))
}

/** The workspace of a claimed job. Jobs without one take turns as if they had one in common. */
export type Turn = string
export const FIRST_TURN: Turn = ''
export const turnOf = ({ job }: ClaimedJob): Turn => job.workspace_id ?? FIRST_TURN

// As in the index.
const TURN = `coalesce(workspace_id, '')`
const UNCLAIMED = `from jobs where status = 'SUBMITTED' and (lease_until is null or lease_until <= ?)`
const FIRST = `order by ${TURN}, created_at, job_id limit 1`

/** Text, because to build and compile it takes longer than to run it. */
function claimText(shared: boolean, most: number): string {
  const text = `with picked as materialized (${pickText(shared, most)})
    update jobs set lease_owner = ?, lease_until = ?, lease_token = lease_token + 1, attempts = attempts + 1
    where job_id in (select job_id from picked) and status = 'SUBMITTED' returning *`
  let count = 0
  return shared ? text.replaceAll('?', () => `$${(count += 1)}`) : text
}

/** The oldest jobs of the workspace after another, or of the first one. Its parameters: now, now, the other workspace, now. */
export function pickText(shared: boolean, most: number): string {
  // Nodes that poll at the same time claim different jobs, without waiting.
  const lock = shared ? 'for update skip locked' : ''
  const next = `(select ${TURN} ${UNCLAIMED} and ${TURN} > ? ${FIRST} ${lock})`
  const first = `(select ${TURN} ${UNCLAIMED} ${FIRST} ${lock})`
  return `select job_id ${UNCLAIMED} and ${TURN} = coalesce(${next}, ${first})
    order by created_at, job_id limit ${most} ${lock}`
}

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
  for (const status of [SUBMITTED, PASS]) released += await releaseIn(db, status, isGone)
  return released
}

async function releaseIn(
  db: Kysely<Database>,
  status: typeof SUBMITTED,
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
    .where('status', '=', SUBMITTED)
}

/** For `updated_at`: the time of a job never goes back. */
export const notEarlier = (now: string) =>
  sql<string>`case when updated_at > ${now} then updated_at else ${now} end`

const changedOne = (result: { readonly numUpdatedRows: bigint }): boolean => result.numUpdatedRows === 1n
