import type { Config } from '../settings/config.ts'
import { isUnavailable } from './unavailable.ts'

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
