import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import * as jobsKitsKeys from './migrations/0001-jobs-kits-keys.ts'
import * as workspacesSubmissions from './migrations/0002-workspaces-submissions.ts'
import * as consoleTables from './migrations/0004-console.ts'

interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** In order, and never changed once released: a change of the store is a new row. */
const MIGRATIONS: readonly (readonly [string, Migration])[] = [
  ['0001-jobs-kits-keys', jobsKitsKeys],
  ['0002-workspaces-submissions', workspacesSubmissions],
  ['0004-console', consoleTables],
]

/** Brings the store to this release's form, in one transaction, so that two processes that start at once do it once. */
export async function migrate<T>(db: Kysely<T>, dialect: Dialect): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`create table if not exists migrations (name text primary key)`.execute(trx)
    const done = new Set(
      (await sql<{ name: string }>`select name from migrations`.execute(trx)).rows.map((row) => row.name),
    )
    for (const name of done) {
      if (!MIGRATIONS.some(([known]) => known === name)) {
        throw new Error(
          `the store was written by a newer release (it holds ${name}); start that release instead`,
        )
      }
    }
    for (const [name, migration] of MIGRATIONS) {
      if (done.has(name)) continue
      await migration.up(trx as unknown as Kysely<unknown>, dialect)
      await sql`insert into migrations (name) values (${name})`.execute(trx)
    }
  })
}
