import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'

export const TASKS = ['scrub', 'orphans', 'retention', 'audit', 'requests'] as const
export type Task = (typeof TASKS)[number]

/** Progress of a task, shared by all nodes. */
export interface TaskState {
  /** Where to resume; empty at the start of a pass. */
  readonly cursor?: string
  /** When the whole store was last listed. */
  readonly listedAt?: string
  /** Until when erased objects were condemned. */
  readonly erasedUntil?: string
  /** Since the first start. */
  readonly total?: number
  /** In the current pass. */
  readonly found?: number
  /** In the last complete pass. */
  readonly foundLast?: number
  /** When something was last found. */
  readonly foundAt?: string | undefined
}

export interface TaskLease {
  readonly state: TaskState
  /** Saves progress and renews the lease. `never` clears when it last finished. Returns false if another node has taken it over. */
  save(state: TaskState, finished: boolean | 'never'): Promise<boolean>
  release(): Promise<void>
}

const LEASE_MS = 5 * 60 * 1000

/** Leases a task if it is due and no other node runs it. */
export async function leaseTask(
  { db, clock, owner }: { readonly db: Kysely<Database>; readonly clock: Clock; readonly owner: string },
  task: Task,
  everyMs: number,
): Promise<TaskLease | undefined> {
  const now = clock.now()
  await db
    .insertInto('upkeep')
    .values({ task, owner: null, until: null, finished_at: null, state: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .updateTable('upkeep')
    .set({ owner, until: timestamp(now + LEASE_MS) })
    .where('task', '=', task)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '<=', timestamp(now))]))
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('finished_at', '<=', timestamp(now - everyMs))]))
    .returning('state')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const mine = () => db.updateTable('upkeep').where('task', '=', task).where('owner', '=', owner)
  return {
    state: JSON.parse(row.state) as TaskState,
    save: async (state, finished) => {
      const at = clock.now()
      const { numUpdatedRows } = await mine()
        .set({
          state: JSON.stringify(state),
          until: timestamp(at + LEASE_MS),
          ...(finished === false ? {} : { finished_at: finished === true ? timestamp(at) : null }),
        })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    release: async () => {
      await mine().set({ owner: null, until: null }).execute()
    },
  }
}

export interface TaskReport extends TaskState {
  readonly finishedAt: string | null
}

/** Of the tasks, and what commands have noted. */
export async function taskReports(db: Kysely<Database>): Promise<ReadonlyMap<string, TaskReport>> {
  const rows = await db.selectFrom('upkeep').select(['task', 'finished_at', 'state']).execute()
  return new Map(
    rows.map(({ task, finished_at, state }) => [
      task,
      { ...(JSON.parse(state) as TaskState), finishedAt: finished_at },
    ]),
  )
}
