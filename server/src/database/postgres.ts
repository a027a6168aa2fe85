import {
  ColumnDefinitionNode,
  type DataTypeNode,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Dialect } from './dialect.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool, type PoolOptions } from './postgres-pool.ts'
import { useReader } from './prepared.ts'
import type { Database } from './schema.ts'
import { whenItAnswers } from './when-it-answers.ts'

export interface PostgresOptions extends Omit<PoolOptions, 'patient'> {
  /** How long a server that does not answer yet is waited for. */
  readonly patienceMs?: number
}

/** A server that many nodes share. Every commit is on its disk, and on those of its standbys, as the server is set up. */
export async function openPostgres(options: PostgresOptions): Promise<Kysely<Database>> {
  await whenItAnswers(() => migratePostgres(options.url), options.patienceMs ?? 0)
  const pool = openPool(options)
  const db = queryBuilder<Database>(pool)
  useReader(db, ({ sql: text }) => ({
    first: async (...parameters) => (await pool.query(text, parameters)).rows[0] as unknown,
    all: async (...parameters) => (await pool.query(text, parameters)).rows as unknown[],
  }))
  return db
}

/** The names of the migrations that it ran. */
export async function migratePostgres(url: string): Promise<readonly string[]> {
  await using db = patientPostgres(url)
  return await migrate(db, postgresDialect)
}

/** For a change or a look at the schema: one connection, which waits as long as it takes. */
export function patientPostgres(url: string): Kysely<unknown> {
  return queryBuilder<unknown>(openPool({ url, connections: 1, patient: true }))
}

function queryBuilder<T>(pool: Pool): Kysely<T> {
  return new Kysely<T>({ dialect: new SharedDialect({ pool: pool as unknown as PostgresPool }) })
}

class SharedDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new SharedQueryCompiler()
  }
}

/** Text is compared byte by byte, as in the embedded store, and not by the rules of whatever language the server has. */
class SharedQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node)
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode)
    if (isColumn && node.dataType === 'text') this.append(' collate "C"')
  }
}

export const postgresDialect: Dialect = {
  name: 'postgres',
  async refuseWhen(db, rule) {
    const quoted = rule.message.replaceAll("'", "''")
    // A condition that asks other tables can't stand in the trigger itself; one that doesn't costs no call there.
    const asks = /\bselect\b/.test(rule.when)
    const refuse = `raise exception using message = '${quoted}', errcode = 'check_violation';`
    const body = asks ? `if ${rule.when} then ${refuse} end if;` : refuse
    await sql
      .raw(
        `create function ${rule.name}() returns trigger language plpgsql as $rule$
          begin ${body} return ${rule.event === 'delete' ? 'old' : 'new'}; end $rule$`,
      )
      .execute(db)
    const condition = asks ? '' : `when (${rule.when})`
    await sql
      .raw(
        `create trigger ${rule.name} before ${rule.event} on ${rule.on} for each row ${condition}
          execute function ${rule.name}()`,
      )
      .execute(db)
  },
  async withdraw(db, { name, on }) {
    await sql.raw(`drop trigger ${name} on ${on}`).execute(db)
    await sql.raw(`drop function ${name}()`).execute(db)
  },
}
