import { type Kysely, sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { TABLES, type Table } from './tables.ts'

/** A row as every database has it: text, numbers and nothing. */
export type Row = Readonly<Record<string, string | number | null>>

/** All rows of a table, some at a time, in the order of its key. */
export async function* rowsOf(
  db: Kysely<Database>,
  { name, key, page }: Table,
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    const { rows } =
      await sql<Row>`select * from ${sql.table(name)} ${after} order by ${columns} limit ${sql.lit(page)}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < page || last === undefined) return
    after = sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

const PARAMETERS_AT_ONCE = 10_000

export async function insertRows(db: Kysely<Database>, { name }: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const most = Math.max(1, Math.floor(PARAMETERS_AT_ONCE / Math.max(1, columns.length)))
  for (let at = 0; at < rows.length; at += most) {
    const values = rows
      .slice(at, at + most)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(db)
  }
}

/** The first table that has a row, of those that would be filled. */
export async function firstFilled(db: Kysely<Database>): Promise<string | undefined> {
  for (const { name } of TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return name
  }
  return undefined
}

/**
 * History is written as it was: what the rules say of how things begin and move does not hold for it. Keys and
 * references are checked all the same. `trx` is a transaction: where it fails, the rules are back.
 */
export async function withoutRules(trx: Kysely<Database>, work: () => Promise<void>): Promise<void> {
  if (isShared(trx)) {
    for (const { name } of TABLES) await sql`alter table ${sql.table(name)} disable trigger user`.execute(trx)
    await work()
    for (const { name } of TABLES) await sql`alter table ${sql.table(name)} enable trigger user`.execute(trx)
    return
  }
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger' order by name`.execute(trx)
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx)
  await work()
  for (const rule of rows) await sql.raw(rule.sql).execute(trx)
}

export async function migrationsOf(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}
