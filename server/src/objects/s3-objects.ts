import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  Measure,
  isObjectName,
  type ListedObject,
  newObjectName,
  type ObjectStore,
  ObjectsUnavailable,
  ObjectUnreadable,
  PARTIAL_ABANDONED_AFTER_MS,
} from './object-store.ts'
import {
  ignoreMissing,
  loadS3,
  type S3,
  storeError,
  statusOf,
  throwStoreError,
  readKey,
} from './s3-client.ts'
import { s3Resumable } from './s3-resumable.ts'
import type { S3Location } from '../settings/parse.ts'

/** The smallest part size of S3. One part is sent while the next is collected. What is smaller takes one request. */
const PART_BYTES = 5 * 1024 * 1024
const CONCURRENT_PARTS = 2
/** Larger objects are copied by the service. */
const COPY_BYTES = 128 * 1024 * 1024

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
    for await (const bytes of read(object)) hash.update(bytes)
    return hash.digest('hex')
  }

  /** S3 copies up to 5 GiB in one request, but not before the request times out. */
  const copy: ObjectStore['copy'] = async (object) => {
    const [name, found] = [newObjectName(), await inspect(object)]
    if (found === undefined) throw new ObjectUnreadable(object, 'is missing')
    const { sizeBytes } = found
    if (sizeBytes > COPY_BYTES) return (await put(read(object), name)).object
    const { client } = await s3()
    const CopySource = encodeURI(`${Bucket}/${keyOf(object)}`)
    await client.copyObject({ Bucket, Key: keyOf(name), CopySource }).catch((error: unknown) => {
      throw storeError(error, object)
    })
    if ((await inspect(name))?.sizeBytes === sizeBytes) return name
    throw new ObjectsUnavailable('did not copy an object correctly')
  }

  async function* read(object: string, start = 0, end?: number): AsyncGenerator<Uint8Array> {
    if (!isObjectName(object)) throw new ObjectUnreadable(object, 'is not an object name')
    yield* readKey(await s3(), Bucket, keyOf(object), start, end, object)
  }

  async function* list(after = ''): AsyncGenerator<ListedObject> {
    const { client } = await s3()
    const Prefix = keyOf('')
    try {
      for await (const page of client.paginateListObjectsV2({ Bucket, Prefix, StartAfter: keyOf(after) }))
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const object = Key.slice(Prefix.length)
          if (isObjectName(object)) yield { object, sizeBytes: Size, keptAtMs: LastModified?.getTime() ?? 0 }
        }
    } catch (error) {
      throw storeError(error)
    }
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

  const isAbandoned = (time: Date | undefined): boolean =>
    time !== undefined && time.getTime() < now() - PARTIAL_ABANDONED_AFTER_MS

  /** Multipart uploads that nobody will complete. */
  async function abortAbandoned(): Promise<number> {
    const { client } = await s3()
    for (let aborted = 0; ;) {
      const page = await client
        .listMultipartUploads({ Bucket, Prefix: keyOf('') })
        .catch((error: unknown) => {
          // Stores without this operation clean up by themselves.
          if (statusOf(error) !== 501) throw error
          return undefined
        })
      const abandoned = (page?.Uploads ?? []).filter(({ Initiated }) => isAbandoned(Initiated))
      for (const { Key, UploadId } of abandoned)
        await client.abortMultipartUpload({ Bucket, Key, UploadId }).catch(ignoreMissing)
      aborted += abandoned.length
      // A later sweep finds what is behind a page of recent ones.
      if (page?.IsTruncated !== true || abandoned.length === 0) return aborted
    }
  }

  /** What is left of uploads in pieces. */
  async function deletePartial(): Promise<number> {
    const { client } = await s3()
    let removed = 0
    for await (const page of client.paginateListObjectsV2({ Bucket, Prefix: `${prefix}partial/` }))
      for (const { Key, LastModified } of page.Contents ?? [])
        if (isAbandoned(LastModified)) {
          await client.deleteObject({ Bucket, Key })
          removed += 1
        }
    return removed
  }

  return {
    put,
    copy,
    resumable: s3Resumable({ bucket: Bucket, prefix, s3 }),
    read,
    fingerprint: async (object) => {
      const found = await inspect(object)
      return found && `${found.etag}-${found.sizeBytes}-${found.keptAtMs}`
    },
    inspect,
    list,
    delete: async (object) => (isObjectName(object) ? remove(object) : undefined),
    sweepTemp: async () =>
      (await abortAbandoned().catch(throwStoreError)) + (await deletePartial().catch(throwStoreError)),
    check: async () => {
      const { client } = await s3()
      await client.headBucket({ Bucket }).catch(throwStoreError)
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
