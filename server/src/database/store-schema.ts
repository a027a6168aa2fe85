import { statSync } from 'node:fs'
import { Kysely, SqliteDialect } from 'kysely'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../config.ts'
import { pendingMigrations } from './migrate.ts'
import { openSqlite, sqliteFile } from './sqlite.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/** Whether there is a store: a database that is named is there, or says itself that it is not; so does a folder of others. */
export function hasStore(place: Place): boolean {
  if (place.databaseUrl !== undefined) return true
  try {
    return statSync(sqliteFile(place), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** The migrations that this release has and the store has not; nothing is changed. */
export async function pendingIn(place: Place): Promise<readonly string[]> {
  await using db = await lookAt(place)
  return await pendingMigrations(db)
}

/** Brings the store to this release's form; returns the names of what was done. */
export async function migrateStore(place: Place): Promise<readonly string[]> {
  if (place.databaseUrl !== undefined) {
    const { migratePostgres } = await import('./postgres.ts')
    return migratePostgres(place.databaseUrl)
  }
  const pending = await pendingIn(place)
  await (await openSqlite(sqliteFile(place))).destroy()
  return pending
}

async function lookAt(place: Place): Promise<Kysely<unknown>> {
  if (place.databaseUrl !== undefined)
    return (await import('./postgres.ts')).patientPostgres(place.databaseUrl)
  const database = hasStore(place)
    ? new BetterSqlite3(sqliteFile(place), { readonly: true })
    : new BetterSqlite3(':memory:')
  return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
}
