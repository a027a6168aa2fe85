// What migrations are made of.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Dialect, GuardTrigger } from '../dialect.ts'

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull()

export const primaryKey = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.primaryKey()

/** `table.column` must exist, and the column has a value. */
export const refersTo =
  (target: string) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.notNull().references(target)

/** Each as in `create …`. */
export async function createIndexes(db: Kysely<unknown>, indexes: readonly string[]): Promise<void> {
  for (const index of indexes) await sql`create ${sql.raw(index)}`.execute(db)
}

export async function createGuards(
  db: Kysely<unknown>,
  dialect: Dialect,
  guards: readonly GuardTrigger[],
): Promise<void> {
  for (const guard of guards) await dialect.createGuard(db, guard)
}

export async function replaceGuard(
  db: Kysely<unknown>,
  dialect: Dialect,
  guard: GuardTrigger,
): Promise<void> {
  await dialect.dropGuard(db, guard)
  await dialect.createGuard(db, guard)
}

/** The condition that one of the columns changes. */
export const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

/** The condition that a column changes in one of the ways. */
export const moves = (column: string, ways: readonly (readonly [string, string])[]): string =>
  ways.map(([from, to]) => `(old.${column} = '${from}' and new.${column} = '${to}')`).join(' or ')

/** No row is deleted. */
export const stay = (on: string, message: string, name = `${on}_stay`): GuardTrigger => ({
  name,
  on,
  event: 'delete',
  when: 'true',
  message,
})

/** No row changes. */
export const fixed = (on: string, message: string, name = `${on}_fixed`): GuardTrigger => ({
  name,
  on,
  event: 'update',
  when: 'true',
  message,
})
