import {
  type BinaryOperationNode,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely'
import { literalState } from './statements.ts'
import { createSchema } from './create-schema.ts'
import { openPool, type Pool, type PoolOptions } from './postgres-pool.ts'
import type { Database, Db } from './schema.ts'
import type { Table } from './table.ts'

export type Retry = <T>(operation: () => Promise<T>) => Promise<T>

export interface PostgresOptions extends Omit<PoolOptions, 'noTimeouts'> {
  /** Waits for a server that is still starting. */
  readonly retry?: Retry | undefined
  readonly tables?: readonly Table[]
}

/** Opens a database that several nodes share, with its tables. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const prepared = (): Promise<void> => preparePostgres(options.url, options.tables)
  await (options.retry?.(prepared) ?? prepared())
  return queryBuilder<Database>(openPool(options))
}

/** Creates the tables of an empty database, and brings one of an earlier version forward. */
export async function preparePostgres(url: string, tables: readonly Table[] = []): Promise<void> {
  await using db = postgresWithoutTimeouts(url)
  await createSchema(db, { tables })
}

/** One connection without statement timeouts, for the schema and copies. */
export function postgresWithoutTimeouts<T = unknown>(url: string): Kysely<T> {
  return queryBuilder<T>(openPool({ url, connections: 1, noTimeouts: true }))
}

function queryBuilder<T>(pool: Pool): Kysely<T> {
  return new Kysely<T>({ dialect: new SharedDialect({ pool: pool as unknown as PostgresPool }) })
}

class SharedDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new SharedQueryCompiler()
  }
}

class SharedQueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(literalState(node))
  }
}
