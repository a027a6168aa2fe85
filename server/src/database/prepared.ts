import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** A read that is asked often: its text is built once, because building costs more than running it. */
export type Prepared<Row> = (parameters: readonly unknown[]) => Promise<readonly Row[]>

/** Runs a compiled read outside any transaction, on what is committed. */
export type Reader = (query: CompiledQuery) => Promise<readonly unknown[]>

const readers = new WeakMap<Kysely<Database>, Reader>()

/** A dialect that knows a shorter way to a read than the query builder's registers it here. */
export function useReader(db: Kysely<Database>, reader: Reader): void {
  readers.set(db, reader)
}

/** `query` is built with placeholders for values; parameters are given in the order in which its text names them. */
export function prepared<Row>(db: Kysely<Database>, query: Compilable<Row>): Prepared<Row> {
  const compiled: CompiledQuery = query.compile()
  const reader = readers.get(db) ?? (async (asked) => (await db.executeQuery(asked)).rows)
  return async (parameters) => (await reader({ ...compiled, parameters })) as readonly Row[]
}
