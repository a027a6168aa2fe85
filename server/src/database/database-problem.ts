import type { Config } from '../config.ts'
import { isUnavailable } from './unavailable.ts'

/** What an operator is told of a database that can't be used; undefined where that is not what is wrong. No password is shown. */
export function databaseProblem(
  error: unknown,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  setting = 'KITSEAL_DATABASE_URL',
): string | undefined {
  if (databaseUrl === undefined || !isUnavailable(error)) return undefined
  if (isOfSqlite(error)) return undefined
  const url = new URL(databaseUrl)
  const where = `${url.hostname || 'localhost'}:${url.port || '5432'}${url.pathname}`
  const { code, message } = reasonOf(error)
  const why = message === '' ? (code ?? 'no reason given') : message
  return `the database ${where} can not be used (${why}). Check ${setting}, and that the server runs.`
}

/** Of a copy that was being made beside it. */
function isOfSqlite(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_')
}

function reasonOf(error: unknown): NodeJS.ErrnoException {
  return (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException
}
