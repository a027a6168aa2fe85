import type { Compilable, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/**
 * A frequent query, compiled once because compiling takes longer than running it. Values in `query` are placeholders for the
 * parameters, in the same order.
 */
export function prepared<Row>(
  db: Kysely<Database>,
  query: Compilable<Row>,
): (...parameters: readonly unknown[]) => Promise<readonly Row[]> {
  const compiled = query.compile()
  return async (...parameters) => (await db.executeQuery<Row>({ ...compiled, parameters })).rows
}

/** The same, for one row. */
export function preparedFirst<Row>(
  db: Kysely<Database>,
  query: Compilable<Row>,
): (...parameters: readonly unknown[]) => Promise<Row | undefined> {
  const rows = prepared(db, query)
  return async (...parameters) => (await rows(...parameters))[0]
}
