import type * as Sdk from '@aws-sdk/client-s3'
import type { Upload as Sender } from '@aws-sdk/lib-storage'
import { ObjectsUnavailable, ObjectUnreadable, type Overload } from './object-store.ts'
import type { S3Location } from '../settings/parse.ts'

export type S3 = typeof Sdk & {
  readonly client: Sdk.S3Client
  readonly Upload: typeof Sender
}

const CONNECT_TIMEOUT_MS = 2000
const REQUEST_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 3
const MAX_CONNECTIONS = 64

/** Loads the SDK on demand, because it takes long. */
export async function loadS3(location: S3Location): Promise<S3> {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new sdk.S3Client({
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    ...(location.region === undefined ? {} : { region: location.region }),
    forcePathStyle: location.pathStyle,
    maxAttempts: MAX_ATTEMPTS,
    // Not every store supports the SDK's checksums. We read back and hash what we write.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SOCKET_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
    },
  })
  return { ...sdk, client, Upload }
}

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
