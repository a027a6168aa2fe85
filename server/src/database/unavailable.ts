/** Prefixes of PostgreSQL codes: no connection, no space, read-only, or timed out. */
const POSTGRES = /^(08|28|53|55P03|57|58|3D000|25006|25P0[34]|40001|40P01)/
const SQLITE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Driver errors that have no code. */
const DRIVER =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after|cached plan must not change)/

/** Whether the database was unavailable or timed out, so that the same query may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Node reports one error per address that it tried.
  if (error instanceof AggregateError) return error.errors.every(isUnavailable)
  const code = (error as { readonly code?: unknown }).code
  if (typeof code === 'string' && (POSTGRES.test(code) || SQLITE.test(code) || NETWORK.has(code))) return true
  return DRIVER.test(error.message)
}
