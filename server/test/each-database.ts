import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { openPostgres, postgresWithoutTimeouts } from '../src/database/postgres.ts'
import type { Database } from '../src/database/schema.ts'
import { DECLARED } from '../src/tables.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { newEmptyDatabase, writeEmptySqlite } from '../../test/kit/databases.ts'
import { needsPostgres, newDatabase, type RunningPostgres, sharedPostgres } from '../../test/kit/postgres.ts'

/** A database without rows that can be opened several times, as by several processes. Disposing it closes all. */
export interface EmptyDatabase extends AsyncDisposable {
  open(): Promise<Kysely<Database>>
  /** Creates no tables. */
  openBare(): Promise<Kysely<unknown>>
  readonly settings: Readonly<Record<string, string>>
}

export interface EachDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  create(): Promise<EmptyDatabase>
  /** Without tables. */
  createBare(): Promise<EmptyDatabase>
}

/** Declares the same tests for SQLite and PostgreSQL. */
export function onEachDatabase(declareTests: (database: EachDatabase) => void): void {
  describe('SQLite', () =>
    declareTests({
      name: 'SQLite',
      create: () => createSqlite(writeEmptySqlite),
      createBare: () => createSqlite(),
    }))
  describe('PostgreSQL', needsPostgres(), () => {
    let server: RunningPostgres
    before(async () => {
      server = await sharedPostgres()
    })
    declareTests({
      name: 'PostgreSQL',
      create: async () => createPostgres(await newEmptyDatabase(server.url)),
      createBare: async () => createPostgres(await newDatabase(server.url)),
    })
    after(() => server[Symbol.asyncDispose]())
  })
}

async function createSqlite(write: (file: string) => Promise<void> = async () => {}): Promise<EmptyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-store-'))
  await write(join(folder, 'kitseal.sqlite'))
  const opened: Pick<Kysely<unknown>, 'destroy'>[] = []
  return {
    settings: { KITSEAL_DATA: folder },
    open: async () =>
      remembered(opened, await openSqlite(join(folder, 'kitseal.sqlite'), undefined, { tables: DECLARED })),
    openBare: async () => {
      const database = new BetterSqlite3(join(folder, 'kitseal.sqlite'))
      return remembered(opened, new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }))
    },
    [Symbol.asyncDispose]: async () => {
      for (const db of opened) await db.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The databases are removed with the server. */
function createPostgres(url: string): EmptyDatabase {
  const opened: Pick<Kysely<unknown>, 'destroy'>[] = []
  return {
    settings: { KITSEAL_DATABASE_URL: url },
    open: async () => remembered(opened, await openPostgres({ url, connections: 5, tables: DECLARED })),
    openBare: async () => remembered(opened, postgresWithoutTimeouts(url)),
    [Symbol.asyncDispose]: async () => {
      for (const db of opened) await db.destroy()
    },
  }
}

function remembered<T>(opened: Pick<Kysely<unknown>, 'destroy'>[], db: Kysely<T>): Kysely<T> {
  opened.push(db)
  return db
}
