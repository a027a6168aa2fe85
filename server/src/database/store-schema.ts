import { statSync } from 'node:fs'
import { Kysely, SqliteDialect } from 'kysely'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../settings/config.ts'
import { pendingMigrations } from './migrate.ts'
import { openSqlite, sqliteFile } from './sqlite.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/** Whether a store exists. PostgreSQL counts as existing, and so does a folder that cannot be read: opening it tells why. */
export function hasStore(place: Place): boolean {
  if (place.databaseUrl !== undefined) return true
  try {
    return statSync(sqliteFile(place), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** Names of the migrations that have not run yet. Changes nothing. */
export async function pendingIn(place: Place): Promise<readonly string[]> {
  await using db = await openForInspection(place)
  return await pendingMigrations(db)
}

/** Runs pending migrations; returns their names. */
export async function migrateStore(place: Place): Promise<readonly string[]> {
  if (place.databaseUrl !== undefined) {
    const { migratePostgres } = await import('./postgres.ts')
    return migratePostgres(place.databaseUrl)
  }
  const pending = await pendingIn(place)
  await (await openSqlite(sqliteFile(place))).destroy()
  return pending
}

async function openForInspection(place: Place): Promise<Kysely<unknown>> {
  if (place.databaseUrl !== undefined)
    return (await import('./postgres.ts')).postgresWithoutTimeouts(place.databaseUrl)
  const database = hasStore(place)
    ? new BetterSqlite3(sqliteFile(place), { readonly: true })
    : new BetterSqlite3(':memory:')
  return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
}
