import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'

export const TASKS = ['scrub', 'orphans', 'retention'] as const
export type Task = (typeof TASKS)[number]

/** What is remembered of a task from turn to turn, by whichever node has it. */
export interface TaskState {
  /** Where the next turn goes on; empty at the beginning of a pass. */
  readonly cursor?: string
  /** When the whole store was last listed. */
  readonly listedAt?: string
  /** Since the first start of all. */
  readonly total?: number
  /** In the pass that is going on. */
  readonly found?: number
  /** In the last whole pass. */
  readonly foundLast?: number
}

export interface Turn {
  readonly state: TaskState
  /** False where the turn was lost: another node has it. */
  save(state: TaskState, finished: boolean): Promise<boolean>
  end(): Promise<void>
}

/** Longer than a node takes between two signs of life; a node that dies keeps a task from the others for so long. */
const TURN_MS = 5 * 60 * 1000

/** The turn at a task, where it is due and no other node has it. */
export async function takeTurn(
  { db, clock, owner }: { readonly db: Kysely<Database>; readonly clock: Clock; readonly owner: string },
  task: Task,
  everyMs: number,
): Promise<Turn | undefined> {
  const now = clock.now()
  await db
    .insertInto('upkeep')
    .values({ task, owner: null, until: null, finished_at: null, state: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .updateTable('upkeep')
    .set({ owner, until: timestamp(now + TURN_MS) })
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
          until: timestamp(at + TURN_MS),
          ...(finished ? { finished_at: timestamp(at) } : {}),
        })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    end: async () => {
      await mine().set({ owner: null, until: null }).execute()
    },
  }
}

export interface TaskReport extends TaskState {
  readonly finishedAt: string | null
}

export async function taskReports(db: Kysely<Database>): Promise<ReadonlyMap<Task, TaskReport>> {
  const rows = await db.selectFrom('upkeep').select(['task', 'finished_at', 'state']).execute()
  return new Map(
    rows.map(({ task, finished_at, state }) => [
      task as Task,
      { ...(JSON.parse(state) as TaskState), finishedAt: finished_at },
    ]),
  )
}
