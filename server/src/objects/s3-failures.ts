import { ObjectsUnavailable, ObjectUnreadable } from './object-store.ts'

/** What the store said about a request that it did not do, as far as it is told apart here. */
export function statusOf(error: unknown): number | undefined {
  const found = error as { readonly $metadata?: { readonly httpStatusCode?: number } } | undefined
  return found?.$metadata?.httpStatusCode
}

export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket'

/** Something was there already, or was written by another at the same time. */
export const isTaken = (error: unknown): boolean => statusOf(error) === 412 || statusOf(error) === 409

/** The store has no conditional put. */
export const isUnknownCondition = (error: unknown): boolean =>
  statusOf(error) === 501 || (statusOf(error) === 400 && nameOf(error) === 'InvalidArgument')

/** Whatever else went wrong is of the store, its address or its credentials: never of an object. */
export function asFailure(error: unknown, sha256?: string): Error {
  if (error instanceof ObjectsUnavailable || error instanceof ObjectUnreadable) return error
  if (sha256 !== undefined && isMissing(error)) return new ObjectUnreadable(sha256, 'is missing', error)
  const status = statusOf(error)
  const said = status === undefined ? nameOf(error) : `${status} ${nameOf(error)}`
  return new ObjectsUnavailable(status === undefined ? `does not answer (${said})` : `answers ${said}`, error)
}

/** Messages may hold addresses and keys; names don't. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return /^[A-Z_]{3,40}$/.test(code) ? code : error.name
}
