import {
  type BinaryOperationNode,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Dialect } from './dialect.ts'
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
  await createSchema(db, postgresDialect, { tables })
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

export const postgresDialect: Dialect = {
  name: 'postgres',
  // Compares text by bytes, as SQLite does, whatever the server's collation.
  definition: (text) =>
    text.startsWith('table ') ? text.replaceAll(/(?<=^ +|, )(\w+) text\b/gm, '$1 text collate "C"') : text,
  async createCount(db, { name, on, event, when, update }) {
    const body = `begin ${update} return null; end`
    await sql
      .raw(`create function ${name}() returns trigger language plpgsql as $count$ ${body} $count$`)
      .execute(db)
    const trigger = `create trigger ${name} after ${event} on ${on} for each row when (${when}) execute function ${name}()`
    await sql.raw(trigger).execute(db)
  },
  async createGuard(db, { name, on, event, when, message }) {
    // WHEN of a trigger cannot contain a subquery, but is cheaper than a function call where it suffices.
    const hasSubquery = /\bselect\b/.test(when)
    const quoted = message.replaceAll("'", "''")
    const reject = `raise exception using message = '${quoted}', errcode = 'check_violation';`
    const body = hasSubquery ? `if ${when} then ${reject} end if;` : reject
    await sql
      .raw(
        `create function ${name}() returns trigger language plpgsql as $rule$
          begin ${body} return ${event === 'delete' ? 'old' : 'new'}; end $rule$`,
      )
      .execute(db)
    const condition = hasSubquery ? '' : `when (${when})`
    await sql
      .raw(
        `create trigger ${name} before ${event} on ${on} for each row ${condition}
          execute function ${name}()`,
      )
      .execute(db)
  },
  async dropGuard(db, { name, on }) {
    await sql.raw(`drop trigger ${name} on ${on}`).execute(db)
    await sql.raw(`drop function ${name}()`).execute(db)
  },
}
