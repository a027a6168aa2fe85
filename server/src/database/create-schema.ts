import { type Kysely, sql } from 'kysely'
import { isShared, takeLock } from './dialect.ts'
import { SHARED_TABLES } from './schema.ts'
import type { ColumnTypes, Table, Trigger } from './table.ts'

/** Changes a database of one version to the next. */
export type Step = (db: Kysely<unknown>) => Promise<void>

/** The first one changes version 1 to 2, and so on. Released steps never change. */
const STEPS: readonly Step[] = []

export interface SchemaOptions {
  /** Those that nouns declare. */
  readonly tables?: readonly Table[]
  readonly steps?: readonly Step[]
}

/** A database that this program cannot use. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * Creates the tables of an empty database, and brings one of an earlier version forward: in one transaction, in one process at a
 * time. Throws `UnusableDatabase` if the database is of a newer release, or of before the first.
 */
export async function createSchema<T>(
  db: Kysely<T>,
  { tables = [], steps = STEPS }: SchemaOptions = {},
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const trx = transaction as unknown as Kysely<unknown>
    await takeLock(trx, 'schema')
    await sql`create table if not exists schema_version (version integer not null)`.execute(trx)
    const newest = steps.length + 1
    const version = await schemaVersion(trx)
    if (version === newest) return
    if (version === undefined) {
      await refuseOlder(trx)
      await createAll(trx, tables)
      await sql`insert into schema_version (version) values (${newest})`.execute(trx)
      return
    }
    if (version > newest)
      throw new UnusableDatabase(
        `the database is of a newer release (schema ${version}, this release has ${newest}); run that release instead`,
      )
    for (const step of steps.slice(version - 1)) await step(trx)
    await sql`update schema_version set version = ${newest}`.execute(trx)
  })
}

/** Undefined if there is none yet. */
export async function schemaVersion<T>(db: Kysely<T>): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return rows[0]?.version
}

async function refuseOlder(trx: Kysely<unknown>): Promise<void> {
  const tables = await trx.introspection.getTables()
  if (tables.some(({ name }) => name === 'migrations'))
    throw new UnusableDatabase(
      'the database was made by a version before 1.0.0-rc.1, which this release cannot read; start with an empty one',
    )
}

async function createAll(trx: Kysely<unknown>, tables: readonly Table[]): Promise<void> {
  const all = allTables(tables)
  for (const each of all) await createTable(trx, each)
  for (const { more } of all) for (const trigger of more.triggers) await createTrigger(trx, trigger)
}

/** Without its triggers, which may be about other tables too. */
export async function createTable<T>(db: Kysely<T>, table: Table): Promise<void> {
  for (const definition of table.definitions(isShared(db) ? POSTGRES : SQLITE))
    await sql.raw(`create ${definition}`).execute(db)
}

/** Compares text by bytes, as SQLite does, whatever the server's collation. */
const POSTGRES: ColumnTypes = {
  text: 'text collate "C"',
  bigint: 'bigint',
  numbered: 'bigserial',
  keyOnly: '',
}
const SQLITE: ColumnTypes = { text: 'text', bigint: 'bigint', numbered: 'integer', keyOnly: ' without rowid' }

/** Those of nouns and those that areas share, each after those that it refers to. */
export function allTables(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = []
  const created = new Set<string>()
  let rest = [...SHARED_TABLES, ...tables]
  while (rest.length > 0) {
    const ready = rest.filter(({ name, parents }) =>
      parents.every((parent) => parent === name || created.has(parent)),
    )
    if (ready.length === 0)
      throw new Error(`tables refer to each other: ${rest.map(({ name }) => name).join(', ')}`)
    ordered.push(...ready)
    for (const { name } of ready) created.add(name)
    rest = rest.filter((each) => !ready.includes(each))
  }
  return ordered
}

export async function createTrigger<T>(db: Kysely<T>, trigger: Trigger): Promise<void> {
  const { name, on, event, when, does } = trigger
  const timing = `${'run' in does ? 'after' : 'before'} ${event} on ${on} for each row`
  const message = 'run' in does ? '' : does.reject.replaceAll("'", "''")
  if (!isShared(db)) {
    const action = 'run' in does ? does.run : `select raise(abort, '${message}');`
    await sql.raw(`create trigger ${name} ${timing} when ${when} begin ${action} end`).execute(db)
    return
  }
  // WHEN of a trigger cannot contain a subquery, but is cheaper than a function call where it suffices.
  const hasSubquery = /\bselect\b/.test(when)
  const action =
    'run' in does ? does.run : `raise exception using message = '${message}', errcode = 'check_violation';`
  const body = hasSubquery ? `if ${when} then ${action} end if;` : action
  const row = event === 'delete' ? 'old' : 'new'
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as $rule$ begin ${body} return ${row}; end $rule$`,
    )
    .execute(db)
  const condition = hasSubquery ? '' : `when (${when})`
  await sql.raw(`create trigger ${name} ${timing} ${condition} execute function ${name}()`).execute(db)
}
