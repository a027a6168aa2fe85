import { noteTask, readNote } from '../database/task-notes.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { KitCatalog } from '../kits/kit-queries.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import type { Store } from '../open-store.ts'
import type { Db } from '../database/schema.ts'

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
  /** Since the first start. */
  readonly total?: number
  /** In the current pass. */
  readonly found?: number
  /** In the last complete pass. */
  readonly foundLast?: number
}

/** Of a task so far. `finished`: the pass is complete. */
export async function progressOf({ db, clock }: Pick<MaintenanceContext, 'db' | 'clock'>, task: string) {
  const read = async (): Promise<TaskState> => (await readNote<TaskState>(db, task))?.state ?? {}
  return {
    state: await read(),
    save: async (change: (state: TaskState) => TaskState, finished: boolean): Promise<void> => {
      const state = await read()
      await noteTask(db, clock, task, { ...state, ...change(state) }, finished)
    },
  }
}

export interface TaskReport extends TaskState {
  readonly finishedAt: string | null
}

/** Of the tasks, and what commands have noted. */
export async function taskReports(db: Db): Promise<ReadonlyMap<string, TaskReport>> {
  const rows = await db.selectFrom('upkeep').select(['task', 'finished_at', 'state']).execute()
  return new Map(
    rows.map(({ task, finished_at, state }) => [
      task,
      { ...(JSON.parse(state) as TaskState), finishedAt: finished_at },
    ]),
  )
}
