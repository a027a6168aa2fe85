import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import { copySqlite, removeSqlite } from '../database/sqlite-copy.ts'
import { TABLES } from './tables.ts'

/** A consistent view of the records. The service keeps running. */
export interface Snapshot extends AsyncDisposable {
  readonly db: Kysely<Database>
}

/** SQLite is copied to a file in `scratch`; PostgreSQL needs no copy. */
export async function takeSnapshot(config: Config, scratch: string): Promise<Snapshot> {
  if (config.databaseUrl !== undefined) return sharedSnapshot(config.databaseUrl)
  const copy = join(scratch, '.records.sqlite')
  return copiedSnapshot(copy, (to) => copySqlite(sqliteFile(config), to))
}

export async function copiedSnapshot(copy: string, make: (to: string) => Promise<void>): Promise<Snapshot> {
  await make(copy)
  const db = await openSqlite(copy)
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy()
      removeSqlite(copy)
    },
  }
}

async function sharedSnapshot(url: string): Promise<Snapshot> {
  const { postgresWithoutTimeouts } = await import('../database/postgres.ts')
  const connection = postgresWithoutTimeouts(url) as unknown as Kysely<Database>
  const db = await connection
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db.rollback().execute()
      await connection.destroy()
    },
  }
}

const LOCK_TIMEOUT_MS = 10_000
const DISCONNECT_MS = 2000

/**
 * A view of a shared database that nothing can change until it is disposed: writes of other processes wait and time out.
 * Undefined if a node is connected.
 */
export async function lockedSnapshot(url: string): Promise<Snapshot | undefined> {
  const { postgresWithoutTimeouts } = await import('../database/postgres.ts')
  const connection = postgresWithoutTimeouts(url) as unknown as Kysely<Database>
  const db = await connection.startTransaction().setIsolationLevel('repeatable read').execute()
  const dispose = async (): Promise<void> => {
    await db.rollback().execute()
    await connection.destroy()
  }
  try {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db)
    // Before the first query, which sees the database as of now.
    await sql`lock table ${sql.join(TABLES.map(({ name }) => sql.table(name)))} in share mode`.execute(db)
    if (!(await othersLeft(db))) return { db, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
  await dispose()
  return undefined
}

/** A connection that was just closed may still be listed. */
async function othersLeft(db: Kysely<Database>): Promise<boolean> {
  for (const until = performance.now() + DISCONNECT_MS; ;) {
    await sql`select pg_stat_clear_snapshot()`.execute(db)
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'kitseal' and pid <> pg_backend_pid() limit 1`.execute(db)
    if (rows.length === 0 || performance.now() > until) return rows.length > 0
    await pause(100)
  }
}
