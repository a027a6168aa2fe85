import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { TABLES, type Table } from './tables.ts'

export type Row = Readonly<Record<string, string | number | null>>

/** The values of the primary key of a row. */
export type Key = readonly (string | number)[]

/** Rows after one key, up to and including another. */
export interface KeyRange {
  readonly after?: Key | undefined
  readonly upto?: Key | undefined
}

export const keyOf = ({ key }: Table, row: Row): Key => key.map((column) => row[column] ?? '')

/** All rows of a table or range in key order, in pages. */
export async function* rowsOf(
  db: Kysely<Database>,
  table: Table,
  { after, upto }: KeyRange = {},
): AsyncGenerator<readonly Row[]> {
  const { name, page } = table
  for (let at = after; ;) {
    const bounds = within(table, { after: at, upto })
    const { rows } =
      await sql<Row>`select * from ${sql.table(name)} ${bounds} order by ${columnsOf(table)} limit ${sql.lit(page)}`.execute(
        db,
      )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < page || last === undefined) return
    at = keyOf(table, last)
  }
}

const columnsOf = ({ key }: Table): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)))

function within(table: Table, { after, upto }: KeyRange): RawBuilder<unknown> {
  const columns = columnsOf(table)
  const bounds = [
    ...(after === undefined ? [] : [sql`(${columns}) > (${sql.join(after)})`]),
    ...(upto === undefined ? [] : [sql`(${columns}) <= (${sql.join(upto)})`]),
  ]
  return bounds.length === 0 ? sql`` : sql`where ${sql.join(bounds, sql` and `)}`
}

/** Differs if a row of the range was added, changed or deleted. Undefined on SQLite, where reading the rows takes as long. */
export async function digestOf(
  db: Kysely<Database>,
  table: Table,
  range: KeyRange,
  seed: number,
): Promise<string | undefined> {
  if (!isShared(db)) return undefined
  const row =
    table.versions === undefined
      ? sql.ref('t')
      : sql`row(${sql.join(table.versions.map((column) => sql.ref(column)))})`
  // In order, because the planner does not know how far a range extends, and would read another index.
  const { rows } = await sql<{ digest: string }>`
    select count(*) || ' ' || coalesce(sum(hash_record_extended(${row}, ${sql.lit(seed)})), 0) as digest
    from (select * from ${sql.table(table.name)} ${within(table, range)}
      order by ${columnsOf(table)} offset 0) as t`.execute(db)
  return rows[0]?.digest
}

const MAX_PARAMETERS = 10_000

export async function insertRows(db: Kysely<Database>, { name }: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const batchSize = Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(1, columns.length)))
  for (let at = 0; at < rows.length; at += batchSize) {
    const values = rows
      .slice(at, at + batchSize)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(db)
  }
}

/** The first table that is not empty. */
export async function firstFilled(db: Kysely<Database>): Promise<string | undefined> {
  for (const { name } of TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return name
  }
  return undefined
}

/**
 * Inserts existing records, to which the triggers on states and changes do not apply. Primary and foreign keys are still
 * checked. Must run in a transaction: a rollback restores the triggers.
 */
export async function withoutTriggers(trx: Kysely<Database>, work: () => Promise<void>): Promise<void> {
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
  for (const trigger of rows) await sql.raw(trigger.sql).execute(trx)
}

/** PostgreSQL does not count rows that were inserted with their number. */
export async function continueNumbering(trx: Kysely<Database>): Promise<void> {
  if (!isShared(trx)) return
  await sql`select setval(pg_get_serial_sequence('log_leaves', 'leaf_id'),
    (select coalesce(max(leaf_id), 0) + 1 from log_leaves), false)`.execute(trx)
}
