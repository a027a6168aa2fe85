import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** At once where the database is in this process, later where it is not. */
export type Eventually<T> = T | Promise<T>

/** A read that is asked often: its text is built once, because building costs more than running it. */
export type Prepared<Row> = (...parameters: readonly unknown[]) => Eventually<Row | undefined>

export type PreparedRows<Row> = (...parameters: readonly unknown[]) => Eventually<readonly Row[]>

/**
 * Prepares a compiled read that runs outside any transaction, on what is committed. So many of its first rows may be kept
 * for as long as nothing is committed: they have to be small, and looked up by one parameter.
 */
export type Reader = (
  query: CompiledQuery,
  rowsKept?: number,
) => {
  readonly first: Prepared<unknown>
  readonly all: PreparedRows<unknown>
}

const readers = new WeakMap<Kysely<Database>, Reader>()

/** A dialect that knows a shorter way to a read than the query builder's registers it here. */
export function useReader(db: Kysely<Database>, reader: Reader): void {
  readers.set(db, reader)
}

/** One row. `query` is built with values as placeholders; parameters come in the order in which its text names them. */
export function prepared<Row>(db: Kysely<Database>, query: Compilable<Row>, rowsKept = 0): Prepared<Row> {
  return readerOf(db)(query.compile(), rowsKept).first as Prepared<Row>
}

/** All rows. */
export function preparedRows<Row>(db: Kysely<Database>, query: Compilable<Row>): PreparedRows<Row> {
  return readerOf(db)(query.compile()).all as PreparedRows<Row>
}

const readerOf = (db: Kysely<Database>): Reader => readers.get(db) ?? queryBuilderReader(db)

const queryBuilderReader =
  (db: Kysely<Database>): Reader =>
  (query) => ({
    first: async (...parameters) => (await db.executeQuery({ ...query, parameters })).rows[0],
    all: async (...parameters) => (await db.executeQuery({ ...query, parameters })).rows,
  })
