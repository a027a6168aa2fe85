import { type Expression, type Kysely, type QueryCreator, type RawBuilder, sql } from 'kysely'

type Value = string | number | null

/** A statement that can join these rows as a table of this name. */
export function withRows<Tables, Name extends string, Row extends Readonly<Record<keyof Row, Value>>>(
  db: Kysely<Tables>,
  name: Name,
  rows: readonly Row[],
): QueryCreator<Tables & Readonly<Record<Name, Row>>> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[]
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => typed(row[column])))})`)
  const table: Expression<object> = sql`(values ${sql.join(values)})`
  const creator: unknown = db.with(`${String(name)}(${columns.join(', ')})`, () => table)
  return creator as QueryCreator<Tables & Readonly<Record<Name, Row>>>
}

/** PostgreSQL takes parameters of a list of values for texts. */
const typed = (value: Value): RawBuilder<unknown> =>
  typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`

const MAX_TOGETHER = 32

/** Databases prepare each statement once, so there must not be one for every number of rows. */
export function inPowersOfTwo<T>(all: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = []
  for (let at = 0; at < all.length;) {
    const size = Math.min(MAX_TOGETHER, 2 ** Math.floor(Math.log2(all.length - at)))
    parts.push(all.slice(at, at + size))
    at += size
  }
  return parts
}
