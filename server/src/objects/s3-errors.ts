import { ObjectsUnavailable, ObjectUnreadable, type Overload } from './object-store.ts'

export function statusOf(error: unknown): number | undefined {
  const found = error as { readonly $metadata?: { readonly httpStatusCode?: number } } | undefined
  return found?.$metadata?.httpStatusCode
}

export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket'

/** Apart from missing objects, every error concerns the store: its address, its credentials, or an outage. */
export function storeError(error: unknown, object?: string): Error {
  if (error instanceof ObjectsUnavailable || error instanceof ObjectUnreadable) return error
  if (object !== undefined && isMissing(error)) return new ObjectUnreadable(object, 'is missing', error)
  const status = statusOf(error)
  const why =
    status === undefined ? `is unavailable (${nameOf(error)})` : `returned ${status} ${nameOf(error)}`
  return new ObjectsUnavailable(why, error, overloadOf(error))
}

/** 503 SlowDown of S3, 429 of some others. */
function overloadOf(error: unknown): Overload | undefined {
  const status = statusOf(error)
  if (status === 503 || status === 429) return 'busy'
  return /^(RequestTimeout|TimeoutError|ETIMEDOUT|ESOCKETTIMEDOUT)$/.test(nameOf(error))
    ? 'timeout'
    : undefined
}

/** Messages may contain addresses and keys; names do not. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return /^[A-Z_]{3,40}$/.test(code) ? code : error.name
}
