import type { Environment } from '../src/index.ts'
import { dropDatabase, newDatabase, type PostgresServer, postgresServer } from './postgres-server.ts'

/** The database of one service under test, alone. */
export interface TestDatabase extends AsyncDisposable {
  /** Nothing where it is a file in the data folder. */
  readonly settings: Environment & Readonly<Record<string, string>>
}

// `postgres` starts a server for this process; an address names one that many processes share; otherwise it is SQLite.
const wanted = process.env['KITSEAL_TEST_DATABASE'] ?? ''
export const onPostgres = wanted.startsWith('postgres')

let started: Promise<PostgresServer> | undefined
let inUse = 0

export async function ownDatabase(): Promise<TestDatabase> {
  if (!onPostgres) return { settings: {}, [Symbol.asyncDispose]: async () => {} }
  inUse += 1
  const url = await newDatabase(await serverUrl())
  return { settings: { KITSEAL_DATABASE_URL: url }, [Symbol.asyncDispose]: () => giveUp(url) }
}

async function serverUrl(): Promise<string> {
  if (wanted !== 'postgres') return wanted
  started ??= postgresServer()
  return (await started).url
}

/** The last one to go takes the server with it. */
async function giveUp(url: string): Promise<void> {
  await dropDatabase(url)
  inUse -= 1
  if (inUse > 0 || started === undefined) return
  const server = await started
  started = undefined
  await server[Symbol.asyncDispose]()
}
