import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** SQLite answers synchronously, PostgreSQL does not. */
export type MaybePromise<T> = T | Promise<T>

/** A frequent query, compiled once because compiling costs more than running it. */
export type Prepared<Row> = (...parameters: readonly unknown[]) => MaybePromise<Row | undefined>

export type PreparedRows<Row> = (...parameters: readonly unknown[]) => MaybePromise<readonly Row[]>

/**
 * Prepares a query that runs outside transactions and sees committed data. Up to `cacheSize` rows may be cached until the
 * next commit; cached rows should be small, and are looked up by one parameter.
 */
export type Reader = (
  query: CompiledQuery,
  cacheSize?: number,
) => {
  readonly first: Prepared<unknown>
  readonly all: PreparedRows<unknown>
}

const readers = new WeakMap<Kysely<Database>, Reader>()

/** Registers a faster way to read than the query builder's. */
export function useReader(db: Kysely<Database>, reader: Reader): void {
  readers.set(db, reader)
}

/** Returns one row. Values in `query` are placeholders for the parameters, in the same order. */
export function prepared<Row>(db: Kysely<Database>, query: Compilable<Row>, cacheSize = 0): Prepared<Row> {
  return readerOf(db)(query.compile(), cacheSize).first as Prepared<Row>
}

/** Returns all rows. */
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

/** Runs a statement that changes rows, in the transaction that is open. */
export type Writer = (
  text: string,
  parameters: readonly unknown[],
) => MaybePromise<{ readonly count: number; readonly rows: readonly unknown[] }>

const writers = new WeakMap<DialectAdapter, Writer>()

/** Registers a faster way to write than the query builder's, for a database with one connection. */
export function useWriter(db: Kysely<Database>, writer: Writer): void {
  writers.set(db.getExecutor().adapter, writer)
}

/** Only in a transaction: outside of one, the query builder waits until the connection is free. */
export const writerOf = (db: Kysely<Database>): Writer | undefined =>
  db.isTransaction ? writers.get(db.getExecutor().adapter) : undefined
