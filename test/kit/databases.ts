import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { type Environment, openStore, readConfig } from '@kitseal/server'
import {
  needsPostgres,
  dropDatabase,
  newDatabase,
  postgresServer,
  type RunningPostgres,
  sharedPostgres,
} from './postgres.ts'

/** The database of one service under test. Disposing it removes it. */
export interface TestDatabase extends AsyncDisposable {
  /** Empty for SQLite, whose file is in the data folder. */
  readonly settings: Environment & Readonly<Record<string, string>>
}

/** A database on which the same tests run. */
export interface EachDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** An empty database: hand its settings to the service. */
  create(): Promise<TestDatabase>
}

/** Declares the same tests for a service on SQLite and for one on PostgreSQL. */
export function onEachDatabase(declareTests: (database: EachDatabase) => void): void {
  describe('SQLite', () => declareTests({ name: 'SQLite', create: createSqlite }))
  describe('PostgreSQL', needsPostgres(), () => {
    let server: RunningPostgres
    before(async () => {
      server = await sharedPostgres()
    })
    declareTests({ name: 'PostgreSQL', create: () => createPostgres(server.url) })
    after(() => server[Symbol.asyncDispose]())
  })
}

async function createSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-store-'))
  await writeEmptySqlite(join(folder, 'kitseal.sqlite'))
  return {
    settings: { KITSEAL_DATA: folder },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  }
}

async function createPostgres(server: string): Promise<TestDatabase> {
  const url = await newEmptyDatabase(server)
  return { settings: { KITSEAL_DATABASE_URL: url }, [Symbol.asyncDispose]: () => dropDatabase(url) }
}

// `postgres`: starts a server for this process. A URL: uses that server. Otherwise SQLite.
const wanted = process.env['KITSEAL_TEST_DATABASE'] ?? ''
/** Whether this test run has chosen PostgreSQL for tests that do not choose a database. */
export const onPostgres = wanted.startsWith('postgres')

let started: Promise<RunningPostgres> | undefined
let inUse = 0

/** A database of the kind that the test run has chosen. */
export async function ownDatabase(): Promise<TestDatabase> {
  if (!onPostgres) return { settings: {}, [Symbol.asyncDispose]: async () => {} }
  inUse += 1
  const database = await createPostgres(await serverUrl())
  return {
    settings: database.settings,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      inUse -= 1
      if (inUse > 0 || started === undefined) return
      const server = await started
      started = undefined
      await server[Symbol.asyncDispose]()
    },
  }
}

async function serverUrl(): Promise<string> {
  if (wanted !== 'postgres') return wanted
  started ??= postgresServer()
  return (await started).url
}

let emptyFile: Promise<Uint8Array> | undefined

/** Writes the database file of a service that has not started yet. Creating its tables takes longer than copying them. */
export async function writeEmptySqlite(file: string): Promise<void> {
  emptyFile ??= createTables()
  writeFileSync(file, await emptyFile, { mode: 0o600 })
}

async function createTables(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-empty-'))
  try {
    await openOnce({ KITSEAL_DATA: folder })
    return readFileSync(join(folder, 'kitseal.sqlite'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const templates = new Map<string, Promise<string>>()

/** Creates the PostgreSQL database of a service that has not started yet, and returns its URL. */
export async function newEmptyDatabase(server: string): Promise<string> {
  const template = templates.get(server) ?? createTemplate(server)
  templates.set(server, template)
  return newDatabase(server, await template)
}

async function createTemplate(server: string): Promise<string> {
  const url = await newDatabase(server)
  await openOnce({ KITSEAL_DATABASE_URL: url })
  return new URL(url).pathname.slice(1)
}

/** Opening a store creates its tables. */
async function openOnce(settings: Environment): Promise<void> {
  const config = readConfig({ ...settings, KITSEAL_LOG_MARK: tmpdir() })
  assert.ok(config.ok)
  const store = await openStore(config.value)
  await store[Symbol.asyncDispose]()
}
