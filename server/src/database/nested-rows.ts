import type { SelectQueryBuilder } from 'kysely'
import * as postgres from 'kysely/helpers/postgres'
import * as sqlite from 'kysely/helpers/sqlite'
import { isShared } from './dialect.ts'
import type { Database, Db } from './schema.ts'

/** The rows of a query as one column of another, so that both are one statement. The query names its columns. */
export function nestedRows<Tables extends keyof Database, Row>(
  db: Db,
  rows: SelectQueryBuilder<Database, Tables, Row>,
): ReturnType<typeof sqlite.jsonArrayFrom<Row>> {
  return isShared(db) ? postgres.jsonArrayFrom(rows) : sqlite.jsonArrayFrom(rows)
}

/** SQLite has no type for JSON. */
export const unnested = <Row>(rows: readonly Row[]): readonly Row[] =>
  typeof rows === 'string' ? (JSON.parse(rows) as readonly Row[]) : rows
