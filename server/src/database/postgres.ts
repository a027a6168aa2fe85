import {
  type BinaryOperationNode,
  ColumnDefinitionNode,
  type DataTypeNode,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Dialect } from './dialect.ts'
import { literalState } from './literal-states.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool, type PoolOptions } from './postgres-pool.ts'
import type { Database } from './schema.ts'

export type Retry = <T>(operation: () => Promise<T>) => Promise<T>

export interface PostgresOptions extends Omit<PoolOptions, 'noTimeouts'> {
  /** Waits for a server that is still starting. */
  readonly retry?: Retry | undefined
}

/** Opens a database that several nodes share, and migrates it. */
export async function openPostgres(options: PostgresOptions): Promise<Kysely<Database>> {
  const migrated = (): Promise<unknown> => migratePostgres(options.url)
  await (options.retry?.(migrated) ?? migrated())
  return queryBuilder<Database>(openPool(options))
}

/** Returns the names of the migrations that it ran. */
export async function migratePostgres(url: string): Promise<readonly string[]> {
  await using db = postgresWithoutTimeouts(url)
  return await migrate(db, postgresDialect)
}

/** One connection without statement timeouts, for migrations and copies. */
export function postgresWithoutTimeouts(url: string): Kysely<unknown> {
  return queryBuilder<unknown>(openPool({ url, connections: 1, noTimeouts: true }))
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

  /** Compares text by bytes, as SQLite does, whatever the server's collation. */
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node)
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode)
    if (isColumn && node.dataType === 'text') this.append(' collate "C"')
  }
}

export const postgresDialect: Dialect = {
  name: 'postgres',
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
