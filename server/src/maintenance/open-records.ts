import type { Kysely } from 'kysely'
import type { Config } from '../settings/config.ts'
import { DECLARED } from '../tables.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'

/** The database of a service that may be running, with its tables, on one connection without statement timeouts. */
export async function openRecords(config: Config): Promise<Kysely<Database>> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFile(config), undefined, { tables: DECLARED })
  const { preparePostgres, postgresWithoutTimeouts } = await import('../database/postgres.ts')
  await preparePostgres(config.databaseUrl, DECLARED)
  return postgresWithoutTimeouts(config.databaseUrl) as unknown as Kysely<Database>
}
