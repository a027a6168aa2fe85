import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '@kitseal/kit/internal/node'
import { describeError, InputError } from '../input-error.ts'

const VERSION = 1

const SCHEMA = `
  create table monitor (
    one integer primary key check (one = 1), issuer text not null, vkey text not null,
    note blob not null, processed integer not null, changed_at integer not null
  ) strict;
  create table keys (kid text primary key, leaf_index integer not null) strict, without rowid;
  create table jobs (job_tag blob primary key, leaf_index integer not null) strict, without rowid;
  create table receipts (
    leaf_index integer primary key, receipt_sha256 blob not null, listed integer not null default 0
  ) strict;
  create index unlisted_receipts on receipts (leaf_index) where listed = 0;
  pragma user_version = ${VERSION};
`

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
  readonly changedAt: number
}

export async function openState(path: string): Promise<MonitorState> {
  try {
    await makeFolder(dirname(path))
    return stateOf(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error
  const { errcode } = error as { readonly errcode?: number }
  // SQLITE_BUSY
  if (errcode === 5) return new InputError(`another monitor is using the state ${path}`)
  return new InputError(`cannot use the state ${path}: ${describeError(error)}`)
}

/** The state of a monitor: one SQLite file, so that a large log needs no memory and a crash leaves the old state. */
export type MonitorState = ReturnType<typeof stateOf>

function stateOf(path: string) {
  const db = new DatabaseSync(path, { timeout: 1000 })
  const version = db.prepare('pragma user_version').get()?.['user_version']
  const isNew = db.prepare('select 1 from sqlite_schema').get() === undefined
  if (isNew) db.exec(`begin immediate; ${SCHEMA} commit`)
  else if (version !== VERSION)
    throw new InputError(`${path} is not the state of this version of kitseal monitor`)
  const statements = {
    seen: db.prepare('select issuer, vkey, note, processed, changed_at from monitor'),
    save: db.prepare('insert or replace into monitor values (1, ?, ?, ?, ?, ?)'),
    hasKey: db.prepare('select 1 from keys where kid = ?'),
    addKey: db.prepare('insert or ignore into keys values (?, ?)'),
    job: db.prepare('select leaf_index from jobs where job_tag = ?'),
    addJob: db.prepare('insert into jobs values (?, ?)'),
    addReceipt: db.prepare('insert into receipts (leaf_index, receipt_sha256) values (?, ?)'),
    unlisted: db.prepare(
      'select leaf_index, receipt_sha256 from receipts where listed = 0 and leaf_index >= ? limit 1000',
    ),
    markListed: db.prepare('update receipts set listed = 1 where leaf_index = ?'),
  }
  return {
    seen: (): Seen | undefined => {
      const row = statements.seen.get()
      if (row === undefined) return undefined
      return {
        issuer: String(row['issuer']),
        vkey: String(row['vkey']),
        note: row['note'] as Uint8Array,
        processed: Number(row['processed']),
        changedAt: Number(row['changed_at']),
      }
    },
    /** Starts a transaction. Fails if another monitor has one. */
    begin: (): void => {
      try {
        db.exec('begin immediate')
      } catch (error) {
        throw unusable(path, error)
      }
    },
    /** Saves everything since begin(). */
    commit: ({ issuer, vkey, note, processed, changedAt }: Seen): void => {
      statements.save.run(issuer, vkey, note, processed, changedAt)
      db.exec('commit')
    },
    /** Discards everything since begin(), if it was not committed. */
    rollback: (): void => {
      if (db.isTransaction) db.exec('rollback')
    },
    hasKey: (kid: string): boolean => statements.hasKey.get(kid) !== undefined,
    addKey: (kid: string, index: number): void => void statements.addKey.run(kid, index),
    /** Returns the first leaf with this tag, if there is one already. */
    addJob: (jobTag: string, index: number): number | undefined => {
      const tag = Buffer.from(jobTag, 'hex')
      const first = statements.job.get(tag)?.['leaf_index']
      if (first === undefined) statements.addJob.run(tag, index)
      return first === undefined ? undefined : Number(first)
    },
    addReceipt: (sha256: string, index: number): void =>
      void statements.addReceipt.run(index, Buffer.from(sha256, 'hex')),
    /** Receipts that are on no list so far. */
    *unlisted(): Iterable<{ readonly index: number; readonly sha256: string }> {
      for (let from = 0; ;) {
        const rows = statements.unlisted.all(from)
        for (const row of rows) {
          const index = Number(row['leaf_index'])
          yield { index, sha256: Buffer.from(row['receipt_sha256'] as Uint8Array).toString('hex') }
          from = index + 1
        }
        if (rows.length === 0) return
      }
    },
    markListed: (index: number): void => void statements.markListed.run(index),
    [Symbol.dispose]: () => db.close(),
  }
}
