import { type Kysely, sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { Database, Db, JobStatus } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { Gauge, type Registry } from 'prom-client'

/** The part of the queue that one workspace may take up. Jobs without a workspace count as those of one. */
const OWN_PART = 0.9

interface QueueOptions {
  readonly most: number
}

/** Each that waits before a job adds to its wait. */
const WAITING_PER_SECOND = 50
const MAX_WAIT_SECONDS = 30

/** The length of the job queue. It is counted periodically and estimated in between, so that creating a job needs no query. */
export type Queue = ReturnType<typeof watchQueue>

export function watchQueue(db: Kysely<Database>, { most }: QueueOptions) {
  let total = 0
  let own = new Map<string, number>()
  const mostOwn = Math.max(1, Math.floor(most * OWN_PART))
  const queue = {
    added: (workspaceId: WorkspaceId | null): void => {
      total += 1
      own.set(workspaceId ?? '', (own.get(workspaceId ?? '') ?? 0) + 1)
    },
    /** Call before adding a job. A workspace that has most of the queue is refused before the others are. */
    refuseWhenFull: (workspaceId: WorkspaceId | null): void => {
      if (total < most && (own.get(workspaceId ?? '') ?? 0) < mostOwn) return
      throw new Refusal('overloaded', 'The job queue is full. Try again shortly.', {
        headers: { 'retry-after': '5' },
      })
    },
    /** When to poll a job again that waits, as `Retry-After`. */
    retryAfter: (workspaceId: WorkspaceId | null): string => {
      const waiting = own.get(workspaceId ?? '') ?? 0
      return `${Math.min(MAX_WAIT_SECONDS, 1 + Math.floor(waiting / WAITING_PER_SECOND))}`
    },
    count: async (): Promise<number> => {
      const rows = await db
        .selectFrom('submissions')
        .select((eb) => eb.fn.countAll<number | string>().as('waiting'))
        // As in the index.
        .select(sql<string>`coalesce(workspace_id, '')`.as('workspace'))
        .where('status', '=', 'SUBMITTED')
        .groupBy(sql`coalesce(workspace_id, '')`)
        .execute()
      own = new Map(rows.map(({ workspace, waiting }) => [workspace, Number(waiting)]))
      total = rows.reduce((sum, { waiting }) => sum + Number(waiting), 0)
      return total
    },
    /** Like `count`, but NaN if the database does not answer within two seconds. */
    countSoon: async (): Promise<number> => {
      const { promise: late, resolve } = Promise.withResolvers<number>()
      const timer = setTimeout(() => resolve(Number.NaN), SOON_MS)
      const waiting = await Promise.race([queue.count().catch(() => Number.NaN), late])
      clearTimeout(timer)
      return waiting
    },
  }
  return queue
}

const SOON_MS = 2000

/** A longer queue is refused long before, and has an alert of its own. */
const MAX_ROWS = 10_000
const UNFINISHED: readonly JobStatus[] = ['SUBMITTED', 'PASS']

/** Every node reports the same value, from the shared database; the last one while it is unavailable. */
export function registerJobAge(registry: Registry, db: Db, clock: Clock): void {
  const gauge: Gauge = new Gauge({
    name: 'kitseal_jobs_oldest_seconds',
    help: 'How long the oldest unfinished job waits to pass, or to be issued; 0 if there is none.',
    registers: [registry],
    collect: async (): Promise<void> => {
      const since = await oldestUnfinished(db).catch(() => 'unknown' as const)
      if (since === 'unknown') return
      gauge.set(since === undefined ? 0 : Math.max(0, clock.now() - Date.parse(since)) / 1000)
    },
  })
}

/** When the job that has been unfinished for longest was submitted, or passed. */
export async function oldestUnfinished(db: Db): Promise<string | undefined> {
  const times = await Promise.all(
    UNFINISHED.map(async (status) => {
      // A literal, because with a parameter the database would not use the partial index.
      const jobs = db.selectFrom('submissions').select('job_updated_at').where('status', '=', status)
      const { oldest } = await db
        .selectFrom(jobs.limit(MAX_ROWS).as('unfinished'))
        .select((eb) => eb.fn.min('job_updated_at').as('oldest'))
        .executeTakeFirstOrThrow()
      return oldest as string | null
    }),
  )
  return times.filter((time) => time !== null).toSorted()[0]
}
