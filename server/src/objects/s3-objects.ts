import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  ABANDONED_AFTER_MS,
  isObjectName,
  type ListedObject,
  ObjectsUnavailable,
  type ObjectStore,
  type StagedObject,
  type StoredObject,
} from './object-store.ts'
import { PARTIAL_ABANDONED_AFTER_MS } from './resumable-objects.ts'
import { measuring } from './measuring.ts'
import { collectSmall, type MemoryUse } from './s3-staging.ts'
import { loadS3, type S3 } from './s3-client.ts'
import { storeError, isMissing, isConflict, isConditionUnsupported } from './s3-errors.ts'
import { abortAbandoned, listAll, sweepAbandoned } from './s3-listing.ts'
import type { S3Location } from '../settings/parse.ts'
import { copyParts } from './s3-copying.ts'
import { readRange } from './s3-reading.ts'
import { s3Resumable } from './s3-resumable.ts'

/** The smallest part size of S3. One part is sent while the next is collected. */
const PART_BYTES = 5 * 1024 * 1024
const CONCURRENT_PARTS = 2
/** Storing an older object again resets its age, so that the orphan sweep does not delete it. */
const RENEW_AFTER_MS = 10 * 60 * 1000

/**
 * Objects in S3, `prefix/objects/<sha256>`. Small ones are put directly, if absent; large ones are uploaded in parts to
 * `prefix/tmp/` and copied by the store. Everything written is read back and hashed.
 */
export function s3Objects(location: S3Location, now: () => number = Date.now): ObjectStore {
  const { bucket: Bucket, prefix } = location
  const memory: MemoryUse = { bytes: 0 }
  let loading: Promise<S3> | undefined
  let loaded: S3 | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location).then((client) => (loaded = client)))
  const keyOf = (sha256: string): string => `${prefix}objects/${sha256}`

  async function stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const chunks = content instanceof Uint8Array ? [new Uint8Array(content)] : content
    const measure = measuring()
    const collected = await collectSmall(measure.pass(chunks), memory)
    if (collected.is === 'small') {
      const { bytes, release } = collected
      const stored = measure.result()
      return {
        ...stored,
        keep: () => putWhole(stored.sha256, bytes).finally(release),
        discard: async () => release(),
      }
    }
    const key = `${prefix}tmp/${randomUUID()}`
    const discard = (): Promise<void> => remove(key)
    try {
      await sendParts(key, collected.content)
      const stored = measure.result()
      await verifyWritten(key, stored)
      const keep = (): Promise<void> => copyToName(key, stored).finally(() => discard().catch(() => {}))
      return { ...stored, keep, discard }
    } catch (error) {
      // If this fails too, a later sweep deletes the temp object.
      await discard().catch(() => {})
      throw error
    }
  }

  async function sendParts(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { client, Upload } = await s3()
    const source: { error?: unknown } = {}
    const body = Readable.from(noteErrors(content, source), { objectMode: false, highWaterMark: 1 })
    const upload = new Upload({
      client,
      params: { Bucket, Key: key, Body: body },
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

  async function putWhole(sha256: string, bytes: Uint8Array): Promise<void> {
    const { client, PutObjectCommand } = await s3()
    const send = (condition: { IfNoneMatch?: '*' }): Promise<unknown> =>
      client.send(new PutObjectCommand({ Bucket, Key: keyOf(sha256), Body: bytes, ...condition }))
    try {
      await send({ IfNoneMatch: '*' })
    } catch (error) {
      if (isConflict(error) && (await isIntact(keyOf(sha256), sha256))) return renew(sha256)
      if (!isConflict(error) && !isConditionUnsupported(error)) throw storeError(error)
      await send({}).catch((again: unknown) => {
        throw storeError(again)
      })
    }
    await verifyWritten(keyOf(sha256), { sha256 })
  }

  async function copyToName(key: string, { sha256, sizeBytes }: StoredObject): Promise<void> {
    await copyParts(await s3(), Bucket, key, keyOf(sha256), sizeBytes).catch((error: unknown) => {
      throw storeError(error)
    })
    const found = await inspect(sha256)
    if (found?.sizeBytes !== sizeBytes) throw new ObjectsUnavailable('did not copy an object correctly')
  }

  /** Resets the age of an object that exists already. */
  async function renew(sha256: string): Promise<void> {
    const found = await inspect(sha256)
    if (found !== undefined && found.keptAtMs > now() - RENEW_AFTER_MS) return
    const { client, CopyObjectCommand } = await s3()
    const [Key, CopySource] = [keyOf(sha256), encodeURI(`${Bucket}/${keyOf(sha256)}`)]
    const copy = {
      Bucket,
      Key,
      CopySource,
      MetadataDirective: 'REPLACE',
      Metadata: { renewed: String(now()) },
    } as const
    await client.send(new CopyObjectCommand(copy)).catch((error: unknown) => {
      throw storeError(error)
    })
  }

  async function isIntact(key: string, sha256: string): Promise<boolean> {
    const hash = createHash('sha256')
    try {
      for await (const bytes of readRange(await s3(), Bucket, key, sha256, 0, undefined)) hash.update(bytes)
    } catch (error) {
      if (error instanceof ObjectsUnavailable) throw error
      return false
    }
    return hash.digest('hex') === sha256
  }

  async function verifyWritten(key: string, { sha256 }: Pick<StoredObject, 'sha256'>): Promise<void> {
    if (!(await isIntact(key, sha256))) throw new ObjectsUnavailable('does not return what was written')
  }

  async function inspect(sha256: string): Promise<(ListedObject & { readonly etag: string }) | undefined> {
    if (!isObjectName(sha256)) return undefined
    const { client, HeadObjectCommand } = await s3()
    try {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) }))
      const keptAtMs = head.LastModified?.getTime() ?? 0
      return { sha256, sizeBytes: head.ContentLength ?? 0, keptAtMs, etag: head.ETag ?? '' }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw storeError(error)
    }
  }

  async function remove(Key: string): Promise<void> {
    const { client, DeleteObjectCommand } = await s3()
    await client.send(new DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (!isMissing(error)) throw storeError(error)
    })
  }

  async function put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject> {
    if (content instanceof Uint8Array) {
      const bytes = new Uint8Array(content)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await putWhole(sha256, bytes)
      return { sha256, sizeBytes: bytes.length, crc32: crc32(bytes) }
    }
    const { keep, discard: _, ...stored } = await stage(content)
    await keep()
    return stored
  }

  return {
    put,
    stage,
    resumable: s3Resumable({ bucket: Bucket, prefix: `${prefix}partial/`, s3, keep: copyToName }),
    async *read(sha256, start = 0, end) {
      yield* readRange(await s3(), Bucket, keyOf(sha256), sha256, start, end)
    },
    has: async (sha256) => (await inspect(sha256)) !== undefined,
    fingerprint: async (sha256) => {
      const found = await inspect(sha256)
      return found && `${found.etag}-${found.sizeBytes}-${found.keptAtMs}`
    },
    inspect: async (sha256) => {
      const found = await inspect(sha256)
      return found && { sha256, sizeBytes: found.sizeBytes, keptAtMs: found.keptAtMs }
    },
    async *list(after = '') {
      yield* listAll(await s3(), Bucket, `${prefix}objects/`, after)
    },
    delete: async (sha256) => (isObjectName(sha256) ? remove(keyOf(sha256)) : undefined),
    sweepTemp: async () =>
      (await abortAbandoned(await s3(), Bucket, `${prefix}objects/`, now() - ABANDONED_AFTER_MS)) +
      (await sweepAbandoned(await s3(), Bucket, `${prefix}tmp/`, now() - ABANDONED_AFTER_MS)) +
      (await sweepAbandoned(await s3(), Bucket, `${prefix}partial/`, now() - PARTIAL_ABANDONED_AFTER_MS)),
    check: async () => {
      const { client, HeadBucketCommand } = await s3()
      await client.send(new HeadBucketCommand({ Bucket })).catch((error: unknown) => {
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
