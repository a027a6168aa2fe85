import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** A query whose text is built once: building costs more than running it. Parameters come in the text's order. */
export type Prepared<Row> = (db: Kysely<Database>, parameters: readonly unknown[]) => Promise<readonly Row[]>

export function prepared<Row>(query: Compilable<Row>): Prepared<Row> {
  const compiled: CompiledQuery<Row> = query.compile()
  return async (db, parameters) => (await db.executeQuery<Row>({ ...compiled, parameters })).rows
}
