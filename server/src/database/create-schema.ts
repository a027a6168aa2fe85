import { type Kysely, sql } from 'kysely'
import { takeLock, type CountTrigger, type Dialect } from './dialect.ts'
import { GUARDS } from './guard-definitions.ts'
import { TABLES } from './table-definitions.ts'
import type { Table } from './table.ts'

/** Changes a database of one version to the next. */
export type Step = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>

/** The first one changes version 1 to 2, and so on. Released steps never change. */
const STEPS: readonly Step[] = []

export interface SchemaOptions {
  /** Those that are not in table-definitions.ts. */
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
  dialect: Dialect,
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
      await createAll(trx, dialect, tables)
      await sql`insert into schema_version (version) values (${newest})`.execute(trx)
      return
    }
    if (version > newest)
      throw new UnusableDatabase(
        `the database is of a newer release (schema ${version}, this release has ${newest}); run that release instead`,
      )
    for (const step of steps.slice(version - 1)) await step(trx, dialect)
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

async function createAll(trx: Kysely<unknown>, dialect: Dialect, tables: readonly Table[]): Promise<void> {
  for (const each of definitionsOf(tables)) await sql.raw(`create ${dialect.definition(each)}`).execute(trx)
  for (const guard of [...GUARDS, ...tables.flatMap(({ more }) => more.guards)])
    await dialect.createGuard(trx, guard)
  for (const count of COUNTS) await dialect.createCount(trx, count)
}

const definitionsOf = (tables: readonly Table[]): readonly string[] =>
  inOrder([...TABLES, ...tables.flatMap((each) => each.definitions())])

/** Each table after those that it refers to. */
function inOrder(definitions: readonly string[]): readonly string[] {
  const ordered: string[] = []
  const created = new Set<string>()
  let rest = definitions
  while (rest.length > 0) {
    const isReady = (text: string): boolean =>
      Array.from(text.matchAll(/references (\w+)|index \w+ on (\w+)/g)).every(
        ([, table, indexed]) => created.has(table ?? indexed ?? '') || text.startsWith(`table ${table} `),
      )
    const ready = rest.filter(isReady)
    if (ready.length === 0) throw new Error(`tables refer to each other: ${rest.join('; ')}`)
    ordered.push(...ready)
    for (const text of ready) created.add(/^table (\w+)/.exec(text)?.[1] ?? '')
    rest = rest.filter((text) => !ready.includes(text))
  }
  return ordered
}

export interface DeclaredTable {
  readonly name: string
  /** Its primary key, in order. */
  readonly key: readonly string[]
}

/** All tables, each after those that it refers to. */
export const declaredTables = (tables: readonly Table[]): readonly DeclaredTable[] =>
  definitionsOf(tables).flatMap((text) => {
    const [, name] = /^table (\w+)/.exec(text) ?? []
    const [, several] = /primary key \(([^)]+)\)/.exec(text) ?? []
    const [, one = ''] = /(\w+) \w+ primary key/.exec(text) ?? []
    return name === undefined ? [] : [{ name, key: (several ?? one).split(/,\s*/) }]
  })

const COUNTS: readonly CountTrigger[] = [
  {
    // So that the statement that locks the workspace also returns the hash of the newest event.
    name: 'audit_events_head',
    on: 'audit_events',
    event: 'insert',
    when: 'true',
    update: 'update workspaces set audit_head = new.hash where workspace_id = new.workspace_id;',
  },
  {
    // What belongs to a submission goes with it.
    name: 'submissions_objects',
    on: 'submissions',
    event: 'update',
    when: `new.status = 'EXPIRED' and old.status <> 'EXPIRED'`,
    update: `update objects set erased_at = new.job_updated_at
      where submission_id = new.submission_id and erased_at is null;`,
  },
  {
    name: 'submissions_stored_bytes',
    on: 'submissions',
    event: 'update',
    when: `(new.status = 'EXPIRED') is distinct from (old.status = 'EXPIRED')
      or new.uploaded_bytes is distinct from old.uploaded_bytes or new.reserved_bytes is distinct from old.reserved_bytes`,
    update: `update workspaces set stored_bytes = stored_bytes
        + case when new.status = 'EXPIRED' then 0 else new.uploaded_bytes + new.reserved_bytes end
        - case when old.status = 'EXPIRED' then 0 else old.uploaded_bytes + old.reserved_bytes end
      where workspace_id = new.workspace_id;`,
  },
]
