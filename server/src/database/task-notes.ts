import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from './schema.ts'

/** When something last happened, and more about it. All nodes read it. */
export interface TaskNote<State> {
  readonly at: string
  readonly state: State
}

/** Replaces the note of a task, next to the progress of maintenance. */
export async function noteTask(
  db: Db,
  clock: Clock,
  task: string,
  state: object,
  isFinished = true,
): Promise<void> {
  const finished = isFinished ? { finished_at: timestamp(clock.now()) } : {}
  const row = { state: JSON.stringify(state), ...finished }
  await db
    .insertInto('upkeep')
    .values({ task, finished_at: null, ...row })
    .onConflict((conflict) => conflict.column('task').doUpdateSet(row))
    .execute()
}

/** The notes of all tasks whose names begin so. */
export async function readNotes<State>(
  db: Db,
  prefix: string,
): Promise<readonly (TaskNote<State> & { readonly task: string })[]> {
  const rows = await db
    .selectFrom('upkeep')
    .select(['task', 'finished_at', 'state'])
    .where('task', 'like', `${prefix}%`)
    .orderBy('task')
    .execute()
  return rows.map(({ task, finished_at, state }) => ({
    task,
    at: finished_at ?? timestamp(0),
    state: JSON.parse(state) as State,
  }))
}

export async function readNote<State>(db: Db, task: string): Promise<TaskNote<State> | undefined> {
  return (await readNotes<State>(db, task)).find((note) => note.task === task)
}

/** Removes the notes of tasks whose names begin so, or of those that are older. */
export async function forgetNotes(db: Db, prefix: string, olderThan?: string): Promise<void> {
  const notes = db.deleteFrom('upkeep').where('task', 'like', `${prefix}%`)
  await (olderThan === undefined ? notes : notes.where('finished_at', '<', olderThan)).execute()
}
