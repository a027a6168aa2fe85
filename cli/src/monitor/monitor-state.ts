import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '@kitseal/kit/internal/node'
import { describeError, InputError } from '../input-error.ts'

const VERSION = 2
const SCHEMA = `
  create table monitor (
    one integer primary key check (one = 1), issuer text not null, vkey text not null,
    note blob not null, processed integer not null, changed_at integer not null
  ) strict;
  create table keys (kid text primary key, leaf_index integer not null) strict, without rowid;
  create table jobs (job_tag text primary key, leaf_index integer not null) strict, without rowid;
  pragma user_version = ${VERSION};
`
const SQLITE_BUSY = 5

/** What a monitor has verified so far. */
export interface Seen {
  readonly issuer: string
  /** The key of the log. */
  readonly vkey: string
  /** The newest checkpoint. */
  readonly note: Uint8Array
  /** How many leaves were checked. */
  readonly processed: number
  /** When the checkpoint last changed, in milliseconds. */
  readonly changed_at: number
}

/** The state of a monitor: one SQLite file, so that a large log needs no memory and a crash leaves the old state. */
export type MonitorState = Awaited<ReturnType<typeof openState>>

/** Opens the state and starts a transaction. Fails if another monitor has one. */
export async function openState(path: string) {
  let db: DatabaseSync
  try {
    await makeFolder(dirname(path))
    db = new DatabaseSync(path, { timeout: 1000 })
    db.exec('begin immediate')
    if (db.prepare('select 1 from sqlite_schema').get() === undefined) db.exec(SCHEMA)
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY)
      throw new InputError(`another monitor is using the state ${path}`)
    throw new InputError(`cannot use the state ${path}: ${describeError(error)}`)
  }
  if (db.prepare('pragma user_version').get()?.['user_version'] !== VERSION)
    throw new InputError(`${path} is not the state of this version of kitseal monitor`)
  const key = db.prepare('select 1 from keys where kid = ?')
  const addKey = db.prepare('insert or ignore into keys values (?, ?)')
  const job = db.prepare('select leaf_index from jobs where job_tag = ?')
  const addJob = db.prepare('insert into jobs values (?, ?)')
  return {
    seen: db.prepare('select issuer, vkey, note, processed, changed_at from monitor').get() as
      | Seen
      | undefined,
    hasKey: (kid: string): boolean => key.get(kid) !== undefined,
    addKey: (kid: string, index: number): void => void addKey.run(kid, index),
    /** Returns the first leaf with this tag, if there is one already. */
    addJob: (jobTag: string, index: number): number | undefined => {
      const first = job.get(jobTag)?.['leaf_index']
      if (first === undefined) addJob.run(jobTag, index)
      return first === undefined ? undefined : Number(first)
    },
    /** Saves everything. What is not saved when the state is closed is forgotten. */
    save: ({ issuer, vkey, note, processed, changed_at }: Seen): void => {
      const row = db.prepare('insert or replace into monitor values (1, ?, ?, ?, ?, ?)')
      row.run(issuer, vkey, note, processed, changed_at)
      db.exec('commit; begin immediate')
    },
    [Symbol.dispose]: () => db.close(),
  }
}
