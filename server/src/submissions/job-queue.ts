import { type Kysely, sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { expectedWait } from './expected-wait.ts'
import { Refusal } from '../refusals.ts'

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
