import { type Kysely, sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { Database, Db, JobStatus } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { Gauge, type Registry } from 'prom-client'

/** The part of the queue that one workspace may take up. Jobs without a workspace count as those of one. */
const OWN_PART = 0.9

export interface QueueOptions {
  readonly most: number
  readonly clock: Clock
  /** A monotonic clock. */
  readonly elapsedMs?: () => number
}

/** The length of the job queue. It is counted periodically and estimated in between, so that creating a job needs no query. */
export type Queue = ReturnType<typeof watchQueue>

export function watchQueue(db: Kysely<Database>, { most, clock, elapsedMs }: QueueOptions) {
  let total = 0
  let own = new Map<string, number>()
  const wait = expectedWait(elapsedMs)
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
    /** When to poll a job again that waits since then, or as of now, as `Retry-After`. */
    retryAfter: (workspaceId: WorkspaceId | null, since?: string): string =>
      `${wait.seconds(workspaceId ?? '', () => (since === undefined ? 0 : clock.now() - Date.parse(since)))}`,
    count: async (): Promise<number> => {
      const rows = await db
        .selectFrom('submissions')
        .select((eb) => eb.fn.countAll<number | string>().as('waiting'))
        // As in the index.
        .select(sql<string>`coalesce(workspace_id, '')`.as('workspace'))
        .where('status', '=', 'SUBMITTED')
        .groupBy(sql`coalesce(workspace_id, '')`)
        .execute()
      const before = own
      own = new Map(rows.map(({ workspace, waiting }) => [workspace, Number(waiting)]))
      wait.counted(before, own)
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

type Counts = ReadonlyMap<string, number>

/** With fewer jobs, the wait is a second. Asking costs little, and one slow job says nothing about the rate. */
const SHORT_QUEUE = 50
const MAX_SECONDS = 30
/** A queue that just became long may be short again in a moment. */
const MIN_MEASURED_MS = 2000
/** What was measured before this counts half. */
const WINDOW_MS = 5000

interface Measured {
  readonly waiting: number
  readonly finished: number
  readonly elapsedMs: number
}

/** How long jobs wait for a worker: the waiting jobs of a workspace, divided by the rate at which they were finished recently. */
export function expectedWait(elapsedMs: () => number = () => performance.now()) {
  let measured = new Map<string, Measured>()
  let countedAt = elapsedMs()
  return {
    /** Call after each count, with how many of each workspace waited before, including those added since, and now. */
    counted: (before: Counts, now: Counts): void => {
      const sinceMs = elapsedMs() - countedAt
      countedAt += sinceMs
      const next = new Map<string, Measured>()
      for (const [workspace, waiting] of now) {
        if (waiting < SHORT_QUEUE) continue
        const known = measured.get(workspace)
        if (known === undefined) {
          next.set(workspace, { waiting, finished: 0, elapsedMs: 0 })
          continue
        }
        const weight = known.elapsedMs > WINDOW_MS ? 0.5 : 1
        // Jobs that other nodes added can hide some that were finished.
        const finished = Math.max(0, (before.get(workspace) ?? 0) - waiting)
        next.set(workspace, {
          waiting,
          finished: known.finished * weight + finished,
          elapsedMs: known.elapsedMs * weight + sinceMs,
        })
      }
      measured = next
    },
    /** When to ask for a waiting job again, in seconds: from 1 to 30. */
    seconds: (workspace: string, waitedMs: () => number): number => {
      const known = measured.get(workspace)
      if (known === undefined || known.elapsedMs < MIN_MEASURED_MS) return 1
      // Infinity if none was finished.
      const expectedMs = (known.waiting * known.elapsedMs) / known.finished
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil((expectedMs - waitedMs()) / 1000)))
    },
  }
}

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
