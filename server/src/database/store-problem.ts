import type { Config } from '../settings/config.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { sqliteFile } from './sqlite.ts'
import { isUnavailable } from './unavailable.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/** Explains to the operator what is wrong with the database, the disk or permissions; undefined for other errors. */
export function storeProblem(error: unknown, place: Place): string | undefined {
  const postgresProblem = databaseProblem(error, place)
  if (postgresProblem !== undefined || !(error instanceof Error)) return postgresProblem
  if (error.name === 'UnusableDatabase') return error.message
  const code = String((error as NodeJS.ErrnoException).code)
  const describe = PROBLEMS.find(([codes]) => codes.test(code))?.[1]
  if (describe !== undefined) return describe(error.message, sqliteFile(place))
  return (MACHINE_FAILURES as readonly string[]).includes(code) ? error.message : undefined
}

type Describe = (message: string, file: string) => string

const PROBLEMS: readonly (readonly [RegExp, Describe])[] = [
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL)$/,
    (message) => `the disk is full (${message}). Free some space, then try again.`,
  ],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY.*|SQLITE_CANTOPEN.*)$/,
    (message) =>
      `permission denied (${message}). Run this as the user that the service runs as, and check that this user can write there.`,
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    (_, file) => `${file} is locked by another process, perhaps a move. Try again when it has finished.`,
  ],
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    (_, file) => `${file} is not a readable database. Restore a backup into another folder.`,
  ],
  [/^(EEXIST|ENOTDIR|ENOENT)$/, (message) => `not a folder (${message}). Choose another folder.`],
]

/** Explains to the operator why PostgreSQL cannot be used; undefined for other errors. Never shows the password. */
export function databaseProblem(
  error: unknown,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  setting = 'KITSEAL_DATABASE_URL',
): string | undefined {
  if (databaseUrl === undefined || !isUnavailable(error)) return undefined
  if (isSqliteError(error)) return undefined
  const url = new URL(databaseUrl)
  const where = `${url.hostname || 'localhost'}:${url.port || '5432'}${url.pathname}`
  const { code, message } = firstError(error)
  const why = message === '' ? (code ?? 'no reason given') : message
  return `cannot use the database ${where} (${why}). Check ${setting}, and that the server is running.`
}

/** A backup copies records into an SQLite file while PostgreSQL is open. */
function isSqliteError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_')
}

function firstError(error: unknown): NodeJS.ErrnoException {
  return (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException
}
