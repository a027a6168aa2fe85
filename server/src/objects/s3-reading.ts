import { setTimeout as pause } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { isObjectName, ObjectUnreadable } from './object-store.ts'
import { type S3, statusOf, storeError } from './s3-client.ts'

const MAX_ATTEMPTS = 4
const RETRY_MS = 100

/** Reads a range of an object. Resumes a few times if the connection breaks. */
export async function* readRange(
  s3: S3,
  bucket: string,
  key: string,
  object: string,
  start: number,
  end: number | undefined,
): AsyncGenerator<Uint8Array> {
  if (!isObjectName(object)) throw new ObjectUnreadable(object, 'is not an object name')
  yield* readKey(s3, bucket, key, start, end, object)
}

/** Reads a range of any key. */
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
      if (attempt === MAX_ATTEMPTS) throw storeError(error, object)
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
  { client, GetObjectCommand }: S3,
  bucket: string,
  key: string,
  object: string,
  start: number,
  end: number | undefined,
): Promise<Range | undefined> {
  const range =
    start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` }
  try {
    const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }))
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
