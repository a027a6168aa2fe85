// docs/decisions/0471
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Jobs are indexed by their kit once they have one. On SQLite, which cannot drop constraints, tables are replaced,
 * and only if they are empty: in a large database it would take too long.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'postgres') {
    await sql`alter table jobs drop constraint jobs_kit_id_key`.execute(db)
    await sql`create unique index ${sql.raw(BY_KIT)}`.execute(db)
    return
  }
  if (await replaceIfEmpty(db, 'jobs', '"kit_id" text unique', '"kit_id" text'))
    await sql`create unique index ${sql.raw(BY_KIT)}`.execute(db)
  // Leaves are never deleted, so the next number is always new.
  await replaceIfEmpty(db, 'log_leaves', ' autoincrement', '')
}

const BY_KIT = 'jobs_by_kit on jobs (kit_id) where kit_id is not null'

/** Creates the table again from its changed definition, with its indexes and triggers. Returns false if it has rows. */
async function replaceIfEmpty(
  db: Kysely<unknown>,
  table: string,
  old: string,
  changed: string,
): Promise<boolean> {
  const rows = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  if (rows.rows.length > 0) return false
  const parts = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema
    where tbl_name = ${table} and sql is not null order by type <> 'table', rowid`.execute(db)
  await sql`drop table ${sql.table(table)}`.execute(db)
  for (const part of parts.rows)
    await sql.raw(part.type === 'table' ? part.sql.replace(old, changed) : part.sql).execute(db)
  return true
}
