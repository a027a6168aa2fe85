import { spawn } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { sqliteFile } from '../database/sqlite.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { Environment } from '../settings/settings.ts'
import { TransferRefused } from './transfer-error.ts'

/** A copy of the database in a file, made and loaded by the means of the database. */
export interface DatabaseCopy {
  /** Its name in a backup. */
  readonly name: string
  /** Writes a consistent copy. The service may be running. */
  write(to: string): Promise<void>
  /** Throws `TransferRefused` unless there is no database yet. */
  checkEmpty(): Promise<void>
  /** Loads a copy with its log frozen, or nothing at all. */
  load(from: string, frozenReason: string): Promise<void>
}

/** `env` is that of the programs that PostgreSQL's client tools are. */
export function databaseCopy(config: Config, env: Environment): DatabaseCopy {
  return config.databaseUrl === undefined ? sqliteCopy(config) : postgresCopy(config.databaseUrl, env)
}

/** Names of the copies of all databases. */
export const COPY_NAMES: readonly string[] = ['database.sqlite', 'database.sql']

/**
 * What the service signed since the copy is not in it. Sessions that ended since must not come back, and uploads that were under
 * way have no bytes.
 */
export const afterLoading = (reason: string, at: string): readonly string[] => [
  `update log set frozen_at = '${at}', frozen_reason = '${reason.replaceAll("'", "''")}' where frozen_at is null`,
  'delete from sessions',
  'delete from ceremonies',
  'delete from resumable_uploads',
]

function sqliteCopy(config: Config): DatabaseCopy {
  const file = sqliteFile(config)
  return {
    name: 'database.sqlite',
    async write(to) {
      const source = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
      try {
        removeSqlite(to)
        await source.backup(to)
        chmodSync(to, 0o600)
      } finally {
        source.close()
      }
    },
    async checkEmpty() {
      if (existsSync(file)) throw new TransferRefused(`${file} exists already. Nothing was changed.`)
    },
    async load(from, frozenReason) {
      const draft = `${file}.restoring`
      removeSqlite(draft)
      await makeFolder(config.dataFolder)
      await copyFile(from, draft)
      chmodSync(draft, 0o600)
      const db = new BetterSqlite3(draft)
      try {
        const problem = db.pragma('integrity_check(1)', { simple: true })
        if (problem !== 'ok')
          throw new TransferRefused(
            `The backup is damaged: ${from}: ${String(problem)}. Nothing was changed.`,
          )
        db.exec(`begin; ${afterLoading(frozenReason, timestamp(systemClock.now())).join('; ')}; commit`)
        db.pragma('journal_mode = delete')
      } catch (error) {
        if (!String((error as NodeJS.ErrnoException).code).match(/^SQLITE_(NOTADB|CORRUPT)/)) throw error
        throw new TransferRefused(
          `The backup is damaged: ${from}: ${(error as Error).message}. Nothing was changed.`,
        )
      } finally {
        db.close()
      }
      await rename(draft, file)
      await syncFolder(config.dataFolder)
    },
  }
}

function removeSqlite(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
}

function postgresCopy(url: string, env: Environment): DatabaseCopy {
  const run = (program: string, args: readonly string[]) => runClient(program, args, url, env)
  return {
    name: 'database.sql',
    async write(to) {
      await run('pg_dump', ['--format=plain', '--no-owner', '--no-privileges', `--file=${to}`])
      chmodSync(to, 0o600)
    },
    async checkEmpty() {
      const { postgresWithoutTimeouts } = await import('../database/postgres.ts')
      await using db = postgresWithoutTimeouts(url)
      const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = current_schema() limit 1`.execute(db)
      if (rows.length > 0)
        throw new TransferRefused(
          `The database is not empty (it has the table ${rows[0]?.name}). Nothing was changed.`,
        )
    },
    async load(from, frozenReason) {
      const after = ['set search_path = public', ...afterLoading(frozenReason, timestamp(systemClock.now()))]
      const options = ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1']
      const commands = after.map((command) => `--command=${command}`)
      await run('psql', [...options, `--output=${NOWHERE}`, `--file=${from}`, ...commands])
    },
  }
}

const NOWHERE = '/dev/null'

/** The password is passed in the environment, because other users can see command lines. */
async function runClient(
  program: string,
  args: readonly string[],
  url: string,
  env: Environment,
): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const client = spawn(program, [...args, `--dbname=${address.href}`], {
    env: { ...env, ...(password === '' ? {} : { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let problem = ''
  client.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem = `${problem}${text}`.slice(0, 2000)
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  client.once('error', reject).once('close', resolve)
  const code = await promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new TransferRefused(
      `${program} is not installed. Install the PostgreSQL client of the server's version, and try again. Nothing was changed.`,
    )
  })
  if (code !== 0)
    throw new TransferRefused(`${program} failed (exit code ${code}). Nothing was changed. ${problem.trim()}`)
}
