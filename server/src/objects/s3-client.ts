import type * as Sdk from '@aws-sdk/client-s3'
import type { Upload as Sender } from '@aws-sdk/lib-storage'
import { ObjectsUnavailable, ObjectUnreadable } from './object-store.ts'
import type { S3Location } from '../settings/parse.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Readable } from 'node:stream'

export interface S3 {
  readonly client: Sdk.S3
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
  const client = new sdk.S3({
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
  return { client, Upload }
}

export function statusOf(error: unknown): number | undefined {
  const found = error as { readonly $metadata?: { readonly httpStatusCode?: number } } | undefined
  return found?.$metadata?.httpStatusCode
}

export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket'

/** For what may be gone already. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw storeError(error)
  return undefined
}

/** Apart from missing objects, every error concerns the store: its address, its credentials, or an outage. */
export function storeError(error: unknown, object?: string): Error {
  if (error instanceof ObjectsUnavailable || error instanceof ObjectUnreadable) return error
  if (object !== undefined && isMissing(error)) return new ObjectUnreadable(object, 'is missing', error)
  const status = statusOf(error)
  const why =
    status === undefined ? `is unavailable (${nameOf(error)})` : `returned ${status} ${nameOf(error)}`
  return new ObjectsUnavailable(why, error)
}

export const throwStoreError = (error: unknown): never => {
  throw storeError(error)
}

/** Messages may contain addresses and keys; names do not. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return /^[A-Z_]{3,40}$/.test(code) ? code : error.name
}

const MAX_READS = 4
const RETRY_MS = 100

/** Reads a range. Resumes a few times if the connection breaks. */
export async function* readKey(
  s3: S3,
  bucket: string,
  key: string,
  start: number,
  end: number | undefined,
  object = 'of an upload',
): AsyncGenerator<Uint8Array> {
  if (end !== undefined && end <= start) return
  let at = start
  let stop = end
  for (let attempt = 1; ; attempt += 1) {
    const body = await openRange(s3, bucket, key, object, at, stop)
    if (body === undefined) return
    stop = body.stop
    try {
      for await (const bytes of body.stream as AsyncIterable<Uint8Array>) {
        at += bytes.length
        yield bytes
      }
      if (at === stop) return
      throw new Error('the response ended early')
    } catch (error) {
      if (attempt === MAX_READS) throw storeError(error, object)
      await pause(RETRY_MS * 2 ** attempt)
    } finally {
      body.stream.destroy()
    }
  }
}

interface Range {
  readonly stream: Readable
  readonly stop: number
}

async function openRange(
  { client }: S3,
  bucket: string,
  key: string,
  object: string,
  start: number,
  end: number | undefined,
): Promise<Range | undefined> {
  const range =
    start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` }
  try {
    const answer = await client.getObject({ Bucket: bucket, Key: key, ...range })
    const stream = answer.Body as Readable | undefined
    if (stream === undefined) throw new ObjectUnreadable(object, 'has no content')
    const stop = start + (answer.ContentLength ?? 0)
    if (end !== undefined && stop !== end) {
      stream.destroy()
      throw new ObjectUnreadable(object, `ends at byte ${stop}, before byte ${end}`)
    }
    return { stream, stop }
  } catch (error) {
    if (statusOf(error) !== 416) throw storeError(error, object)
    // The range starts at or after the end. That is fine if no end was requested.
    if (end === undefined) return undefined
    throw new ObjectUnreadable(object, `ends before byte ${start}`, error)
  }
}
