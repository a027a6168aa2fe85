import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  Measure,
  isObjectName,
  type ListedObject,
  newObjectName,
  type ObjectStore,
  ObjectsUnavailable,
  PARTIAL_ABANDONED_AFTER_MS,
} from './object-store.ts'
import { ignoreMissing, loadS3, type S3, storeError, statusOf, readRange } from './s3-client.ts'
import { s3Resumable } from './s3-resumable.ts'
import type { S3Location } from '../settings/parse.ts'
import { setTimeout as pause } from 'node:timers/promises'

/** The smallest part size of S3. One part is sent while the next is collected. What is smaller takes one request. */
const PART_BYTES = 5 * 1024 * 1024
const CONCURRENT_PARTS = 2

/** Objects in S3, `prefix/objects/<name>`. What is put is read back and hashed. */
export function s3Objects(location: S3Location, now: () => number = Date.now): ObjectStore {
  const { bucket: Bucket, prefix } = location
  let loading: Promise<S3> | undefined
  let loaded: S3 | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location).then((client) => (loaded = client)))
  const keyOf = (object: string): string => `${prefix}objects/${object}`

  const put: ObjectStore['put'] = async (content, object = newObjectName()) => {
    const measure = new Measure()
    await send(
      keyOf(object),
      measure.pass(content instanceof Uint8Array ? [new Uint8Array(content)] : content),
    )
    const measured = measure.result()
    if ((await sha256Of(object)) !== measured.sha256) {
      await remove(object).catch(() => {})
      throw new ObjectsUnavailable('does not return what was written')
    }
    return { object, ...measured }
  }

  async function send(Key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { client, Upload } = await s3()
    const source: { error?: unknown } = {}
    const body = Readable.from(noteErrors(content, source), { objectMode: false, highWaterMark: 1 })
    const upload = new Upload({
      client,
      params: { Bucket, Key, Body: body },
      partSize: PART_BYTES,
      queueSize: CONCURRENT_PARTS,
      leavePartsOnError: false,
    })
    try {
      await upload.done()
    } catch (error) {
      body.destroy()
      if ('error' in source) throw source.error
      throw storeError(error)
    }
  }

  async function sha256Of(object: string): Promise<string> {
    const hash = createHash('sha256')
    for await (const bytes of readRange(await s3(), Bucket, keyOf(object), object, 0, undefined))
      hash.update(bytes)
    return hash.digest('hex')
  }

  const copy: ObjectStore['copy'] = async (object) => {
    const [name, found] = [newObjectName(), await inspect(object)]
    const sizeBytes = found?.sizeBytes ?? 0
    await copyParts(await s3(), Bucket, keyOf(object), keyOf(name), sizeBytes).catch((error: unknown) => {
      throw storeError(error, object)
    })
    if ((await inspect(name))?.sizeBytes === sizeBytes) return name
    throw new ObjectsUnavailable('did not copy an object correctly')
  }

  async function inspect(object: string): Promise<(ListedObject & { readonly etag: string }) | undefined> {
    if (!isObjectName(object)) return undefined
    const { client } = await s3()
    try {
      const head = await client.headObject({ Bucket, Key: keyOf(object) })
      const keptAtMs = head.LastModified?.getTime() ?? 0
      return { object, sizeBytes: head.ContentLength ?? 0, keptAtMs, etag: head.ETag ?? '' }
    } catch (error) {
      return ignoreMissing(error)
    }
  }

  async function remove(object: string): Promise<void> {
    const { client } = await s3()
    await client.deleteObject({ Bucket, Key: keyOf(object) }).catch(ignoreMissing)
  }

  return {
    put,
    copy,
    resumable: s3Resumable({ bucket: Bucket, prefix, s3 }),
    async *read(object, start = 0, end) {
      yield* readRange(await s3(), Bucket, keyOf(object), object, start, end)
    },
    fingerprint: async (object) => {
      const found = await inspect(object)
      return found && `${found.etag}-${found.sizeBytes}-${found.keptAtMs}`
    },
    inspect,
    async *list(after = '') {
      yield* listAll(await s3(), Bucket, `${prefix}objects/`, after)
    },
    delete: async (object) => (isObjectName(object) ? remove(object) : undefined),
    sweepTemp: async () => sweepAbandoned(await s3(), Bucket, prefix, now() - PARTIAL_ABANDONED_AFTER_MS),
    check: async () => {
      const { client } = await s3()
      await client.headBucket({ Bucket }).catch((error: unknown) => {
        throw storeError(error)
      })
    },
    isRemote: true,
    // The SDK compares each response's Date with the clock, and signs with the store's time.
    skewMs: () => -(loaded?.client.config.systemClockOffset ?? 0),
    close: async () => (await loading)?.client.destroy(),
  }
}

/** Remembers an error of the source, to distinguish it from one of the store. Copies chunks, which are sent later. */
async function* noteErrors(
  content: AsyncIterable<Uint8Array>,
  source: { error?: unknown },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of content) yield new Uint8Array(chunk)
  } catch (error) {
    source.error = error
    throw error
  }
}

/** S3 copies up to 5 GiB in one request, but not before the request times out. */
const COPY_BYTES = 128 * 1024 * 1024
const CONCURRENT = 4

/** Copies an object within the bucket. The bytes do not pass through the service. */
export async function copyParts(
  { client }: S3,
  Bucket: string,
  from: string,
  Key: string,
  sizeBytes: number,
  copyBytes = COPY_BYTES,
): Promise<void> {
  const CopySource = encodeURI(`${Bucket}/${from}`)
  if (sizeBytes <= copyBytes) {
    await client.copyObject({ Bucket, Key, CopySource })
    return
  }
  const { UploadId } = await client.createMultipartUpload({ Bucket, Key })
  const partBytes = Math.max(copyBytes, Math.ceil(sizeBytes / 9000))
  const count = Math.ceil(sizeBytes / partBytes)
  const parts: { readonly PartNumber: number; readonly ETag: string }[] = []
  let next = 0
  const copyNext = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const [start, end] = [at * partBytes, Math.min((at + 1) * partBytes, sizeBytes)]
      const range = { CopySource, CopySourceRange: `bytes=${start}-${end - 1}`, PartNumber: at + 1 }
      const { CopyPartResult } = await client.uploadPartCopy({ Bucket, Key, UploadId, ...range })
      parts.push({ PartNumber: at + 1, ETag: CopyPartResult?.ETag ?? '' })
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, copyNext))
    const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
    await client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
  } catch (error) {
    await client.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => {})
    throw error
  }
}

/** The objects under a prefix, in name order. */
async function* listAll(
  { client }: S3,
  bucket: string,
  prefix: string,
  after: string,
): AsyncGenerator<ListedObject> {
  let token: string | undefined
  do {
    const page = {
      Bucket: bucket,
      Prefix: prefix,
      ...(after === '' ? {} : { StartAfter: `${prefix}${after}` }),
      ...(token === undefined ? {} : { ContinuationToken: token }),
    }
    const answer = await repeatIfBusy(() => client.listObjectsV2(page))
    for (const { Key = '', Size = 0, LastModified } of answer.Contents ?? []) {
      const object = Key.slice(prefix.length)
      if (isObjectName(object)) yield { object, sizeBytes: Size, keptAtMs: LastModified?.getTime() ?? 0 }
    }
    token = answer.IsTruncated === true ? answer.NextContinuationToken : undefined
  } while (token !== undefined)
}

const MAX_ATTEMPTS = 6
const FIRST_WAIT_MS = 250

/** A listing of millions of objects does not fail because of one page. */
async function repeatIfBusy<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      const failure = storeError(error)
      const isBusy = failure instanceof ObjectsUnavailable && failure.overload === 'busy'
      if (!isBusy || attempt === MAX_ATTEMPTS) throw failure
      await pause(FIRST_WAIT_MS * 2 ** (attempt - 1))
    }
  }
}

/** Aborts multipart uploads that began before `beforeMs`, and deletes what is left of partial objects; returns how many. */
async function sweepAbandoned(
  { client }: S3,
  Bucket: string,
  prefix: string,
  beforeMs: number,
): Promise<number> {
  const isOld = (time: Date | undefined): boolean => (time?.getTime() ?? beforeMs) < beforeMs
  try {
    const aborted = await abortUploads(client, Bucket, `${prefix}objects/`, isOld)
    return aborted + (await deletePartial(client, Bucket, `${prefix}partial/`, isOld))
  } catch (error) {
    throw storeError(error)
  }
}

type IsOld = (time: Date | undefined) => boolean

async function abortUploads(
  client: S3['client'],
  Bucket: string,
  Prefix: string,
  isOld: IsOld,
): Promise<number> {
  let aborted = 0
  const list = (from: object) =>
    client.listMultipartUploads({ Bucket, Prefix, ...from }).catch((error: unknown) => {
      // Stores without this operation clean up by themselves.
      if (statusOf(error) !== 501) throw error
      return undefined
    })
  for (let page = await list({}); page !== undefined;) {
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!isOld(Initiated) || Key === undefined || UploadId === undefined) continue
      await client.abortMultipartUpload({ Bucket, Key, UploadId }).catch(ignoreMissing)
      aborted += 1
    }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    page =
      IsTruncated === true && KeyMarker !== undefined ? await list({ KeyMarker, UploadIdMarker }) : undefined
  }
  return aborted
}

async function deletePartial(
  client: S3['client'],
  Bucket: string,
  Prefix: string,
  isOld: IsOld,
): Promise<number> {
  let removed = 0
  for (;;) {
    const { Contents = [], IsTruncated } = await client.listObjectsV2({ Bucket, Prefix })
    const old = Contents.filter(({ LastModified }) => isOld(LastModified))
    for (const { Key = '' } of old) await client.deleteObject({ Bucket, Key })
    removed += old.length
    // The page has only recent objects left. A later sweep finds the rest.
    if (IsTruncated !== true || old.length === 0) return removed
  }
}
