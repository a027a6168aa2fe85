import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { KitCatalog } from '../kits/kit-queries.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import type { Store } from '../open-store.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'

export interface MaintenanceContext extends Pick<Store, 'db' | 'units' | 'objects' | 'signingKeys' | 'mail'> {
  readonly config: Pick<Config, 'scrubBytesPerSecond' | 'orphanGraceHours' | 'openIntakeTtlDays'>
  readonly kits: KitCatalog
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly log: Pick<Log, 'info' | 'error'>
  /** The start page of kits names it. */
  readonly issuer: string
}

/** What a recurring task has done, shared by all nodes. */
interface TaskState {
  /** Where to resume; empty at the start of a pass. */
  readonly cursor?: string
  /** When the whole store was last listed. */
  readonly listedAt?: string
  /** Since the first start. */
  readonly total?: number
  /** In the current pass. */
  readonly found?: number
  /** In the last complete pass. */
  readonly foundLast?: number
  /** When something was last found. */
  readonly foundAt?: string | undefined
}

interface TaskProgress {
  readonly state: TaskState
  /** `finished`: the pass is complete. */
  save(state: TaskState, finished: boolean): Promise<void>
}

export async function progressOf(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  task: string,
): Promise<TaskProgress> {
  const row = await db.selectFrom('upkeep').select('state').where('task', '=', task).executeTakeFirst()
  return {
    state: JSON.parse(row?.state ?? '{}') as TaskState,
    async save(state, finished) {
      const saved = {
        state: JSON.stringify(state),
        ...(finished ? { finished_at: timestamp(clock.now()) } : {}),
      }
      await db
        .insertInto('upkeep')
        .values({ task, finished_at: null, ...saved })
        .onConflict((conflict) => conflict.column('task').doUpdateSet(saved))
        .execute()
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
