import { sql } from 'kysely'
import type { Config } from '../settings/config.ts'
import { DECLARED } from '../tables.ts'
import type { Database, Db } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Environment } from '../settings/settings.ts'
import { allTables } from '../database/create-schema.ts'
import { isShared } from '../database/dialect.ts'

/** A backup, restore or move that was rejected. The message is for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/** How far a task is. */
export interface Progress {
  /** What is being done, as a heading: `Copying objects`. */
  readonly step: string
  readonly done: number
  /** If it is known. */
  readonly total?: number
  /** From 0 to 1, if the total is not known but can be estimated. */
  readonly share?: number
  readonly bytes?: number
}

export type OnProgress = (progress: Progress) => void

/** The share of objects up to this one, in name order: hashes are distributed evenly. */
export const shareUpTo = (sha256: string): number => Number.parseInt(sha256.slice(0, 8), 16) / 2 ** 32

/** The database of a service that may be running, with its tables, on one connection without statement timeouts. */
export async function openRecords(config: Config): Promise<Db> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFile(config), undefined, { tables: DECLARED })
  const { preparePostgres, postgresWithoutTimeouts } = await import('../database/postgres.ts')
  await preparePostgres(config.databaseUrl, DECLARED)
  return postgresWithoutTimeouts<Database>(config.databaseUrl)
}

/** A copy of the database in a file, made and loaded by the means of the database. */
interface DatabaseCopy {
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
async function runClient(program: string, args: readonly string[], url: string, env: Environment) {
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

/**
 * Writes existing records, to which the triggers on states and changes do not apply. Primary and foreign keys are still
 * checked. Must run in a transaction: a rollback restores the triggers.
 */
export async function withoutTriggers(trx: Db, work: () => Promise<void>): Promise<void> {
  if (isShared(trx)) {
    const tables = allTables(DECLARED).map(({ name }) => sql.table(name))
    for (const table of tables) await sql`alter table ${table} disable trigger user`.execute(trx)
    await work()
    for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(trx)
    return
  }
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger' order by name`.execute(trx)
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx)
  await work()
  for (const trigger of rows) await sql.raw(trigger.sql).execute(trx)
}
