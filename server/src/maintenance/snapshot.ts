import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import { copySqlite, removeSqlite } from '../database/sqlite-copy.ts'

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
