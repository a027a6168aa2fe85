import type { Environment } from '../src/index.ts'
import { newMigratedDatabase } from './migrated-database.ts'
import { dropDatabase, type PostgresServer, postgresServer } from './postgres-server.ts'

/** The database of one service under test. */
export interface TestDatabase extends AsyncDisposable {
  /** Empty for SQLite, whose file is in the data folder. */
  readonly settings: Environment & Readonly<Record<string, string>>
}

// `postgres`: starts a server for this process. A URL: uses that server. Otherwise SQLite.
const wanted = process.env['KITSEAL_TEST_DATABASE'] ?? ''
export const onPostgres = wanted.startsWith('postgres')

let started: Promise<PostgresServer> | undefined
let inUse = 0

export async function ownDatabase(): Promise<TestDatabase> {
  if (!onPostgres) return { settings: {}, [Symbol.asyncDispose]: async () => {} }
  inUse += 1
  const url = await newMigratedDatabase(await serverUrl())
  return { settings: { KITSEAL_DATABASE_URL: url }, [Symbol.asyncDispose]: () => release(url) }
}

async function serverUrl(): Promise<string> {
  if (wanted !== 'postgres') return wanted
  started ??= postgresServer()
  return (await started).url
}

/** Stops the server with the last database. */
async function release(url: string): Promise<void> {
  await dropDatabase(url)
  inUse -= 1
  if (inUse > 0 || started === undefined) return
  const server = await started
  started = undefined
  await server[Symbol.asyncDispose]()
}
