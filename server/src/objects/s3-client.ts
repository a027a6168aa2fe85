import type * as Sdk from '@aws-sdk/client-s3'
import type { Upload as Sender } from '@aws-sdk/lib-storage'
import type { S3Location } from '../objects-location.ts'

export type S3 = typeof Sdk & {
  readonly client: Sdk.S3Client
  readonly Upload: typeof Sender
}

/** A store that is slow is waited for, one that is silent is not: a request ends in an answer or an error. */
const CONNECT_MS = 2000
const ANSWER_MS = 15_000
const SILENCE_MS = 10_000
const TRIES = 3
const CONNECTIONS = 64

/** The SDK takes long to load: only who uses it loads it, and once. */
export async function loadS3(location: S3Location): Promise<S3> {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new sdk.S3Client({
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    ...(location.region === undefined ? {} : { region: location.region }),
    forcePathStyle: location.pathStyle,
    maxAttempts: TRIES,
    // What is written is read back and hashed here; the SDK's own checksums are not understood by every store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  })
  return { ...sdk, client, Upload }
}
