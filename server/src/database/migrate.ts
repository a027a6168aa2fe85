import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { exclusively } from './exclusive.ts'
import * as jobsKitsKeys from './migrations/0001-jobs-kits-keys.ts'
import * as workspacesSubmissions from './migrations/0002-workspaces-submissions.ts'
import * as keysInTheDatabase from './migrations/0003-keys-in-the-database.ts'
import * as consoleTables from './migrations/0004-console.ts'
import * as objectUpkeep from './migrations/0005-object-upkeep.ts'

export class NewerStore extends Error {
  override readonly name = 'NewerStore'
}

interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** In order, and never changed once released: a change of the store is a new row. */
const MIGRATIONS: readonly (readonly [string, Migration])[] = [
  ['0001-jobs-kits-keys', jobsKitsKeys],
  ['0002-workspaces-submissions', workspacesSubmissions],
  ['0003-keys-in-the-database', keysInTheDatabase],
  ['0004-console', consoleTables],
  ['0005-object-upkeep', objectUpkeep],
]

/**
 * Brings the store to this release's form, in one transaction and one process at a time, and returns the names of what
 * was done. A store that a newer release has written is refused.
 */
export async function migrate<T>(db: Kysely<T>, dialect: Dialect): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    await exclusively(trx, 'migration')
    await sql`create table if not exists migrations (name text primary key)`.execute(trx)
    const pending = notIn(await namesOf(trx))
    for (const [name, migration] of pending) {
      await migration.up(trx as unknown as Kysely<unknown>, dialect)
      await sql`insert into migrations (name) values (${name})`.execute(trx)
    }
    return pending.map(([name]) => name)
  })
}

/** What `migrate` would do; nothing is changed. */
export async function pendingMigrations<T>(db: Kysely<T>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  const done = tables.some(({ name }) => name === 'migrations') ? await namesOf(db) : []
  return notIn(done).map(([name]) => name)
}

async function namesOf<T>(db: Kysely<T>): Promise<readonly string[]> {
  return (await sql<{ name: string }>`select name from migrations`.execute(db)).rows.map((row) => row.name)
}

function notIn(done: readonly string[]): typeof MIGRATIONS {
  const newer = done.find((name) => !MIGRATIONS.some(([known]) => known === name))
  if (newer !== undefined) {
    throw new NewerStore(
      `the store was written by a newer release (it holds ${newer}); start that release instead`,
    )
  }
  return MIGRATIONS.filter(([name]) => !done.includes(name))
}
