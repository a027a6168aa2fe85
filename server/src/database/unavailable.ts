/** Codes of PostgreSQL by their first characters: no connection, no room, no leave to write, or not in time. */
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
/** What the driver says without a code. */
const DRIVER =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after|cached plan must not change)/

/** Whether the database did not answer, or not in time: nothing is wrong with what it was asked, and it may be asked again. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Of several addresses none answered.
  if (error instanceof AggregateError) return error.errors.every(isUnavailable)
  const code = (error as { readonly code?: unknown }).code
  if (typeof code === 'string' && (POSTGRES.test(code) || SQLITE.test(code) || NETWORK.has(code))) return true
  return DRIVER.test(error.message)
}
