import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  isObjectName,
  type ListedObject,
  ObjectsUnavailable,
  type ObjectStore,
  type StagedObject,
  type StoredObject,
} from './object-store.ts'
import { measuring } from './measuring.ts'
import { gatherSmall, type HeldMemory, heldMemory } from './s3-staging.ts'
import { loadS3, type S3 } from './s3-client.ts'
import { asFailure, isMissing, isTaken, isUnknownCondition } from './s3-failures.ts'
import { listAll, sweepAbandoned } from './s3-listing.ts'
import type { S3Location } from '../objects-location.ts'
import { readRange } from './s3-reading.ts'

/** The smallest part that S3 takes. One is sent while the next is gathered. */
const PART_BYTES = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2
/** An object that is put again is made new where it is older than this, so that no sweep takes it for abandoned. */
const RENEW_AFTER_MS = 10 * 60 * 1000

/**
 * Objects in a store that speaks S3: `prefix/objects/<sha256>`. Small ones are sent at once, under their name and only
 * where nothing has it; large ones go up in parts as they arrive, under `prefix/tmp/`, and are copied by the store.
 * Everything that is written is read back and hashed before it counts.
 */
export function s3Objects(location: S3Location, now: () => number = Date.now): ObjectStore {
  const { bucket: Bucket, prefix } = location
  const memory: HeldMemory = heldMemory()
  let loading: Promise<S3> | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location))
  const keyOf = (sha256: string): string => `${prefix}objects/${sha256}`

  async function stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const chunks = content instanceof Uint8Array ? [new Uint8Array(content)] : content
    const measure = measuring()
    const gathered = await gatherSmall(measure.pass(chunks), memory)
    if (gathered.is === 'small') {
      const { bytes, release } = gathered
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
      await sendParts(key, gathered.content)
      const stored = measure.result()
      await proveWritten(key, stored)
      return { ...stored, keep: () => copyToName(key, stored), discard }
    } catch (error) {
      // A failure to tidy up is no news: what stays is swept once it is old.
      await discard().catch(() => {})
      throw error
    }
  }

  async function sendParts(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { client, Upload } = await s3()
    const cut: { by?: unknown } = {}
    const body = Readable.from(noting(content, cut), { objectMode: false, highWaterMark: 1 })
    const upload = new Upload({
      client,
      params: { Bucket, Key: key, Body: body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: false,
    })
    try {
      await upload.done()
    } catch (error) {
      body.destroy()
      if ('by' in cut) throw cut.by
      throw asFailure(error)
    }
  }

  /** Bytes whose hash is known go straight to their name. */
  async function putWhole(sha256: string, bytes: Uint8Array): Promise<void> {
    const { client, PutObjectCommand } = await s3()
    const send = (condition: { IfNoneMatch?: '*' }): Promise<unknown> =>
      client.send(new PutObjectCommand({ Bucket, Key: keyOf(sha256), Body: bytes, ...condition }))
    try {
      await send({ IfNoneMatch: '*' })
    } catch (error) {
      if (isTaken(error) && (await isSound(keyOf(sha256), sha256))) return renew(sha256)
      if (!isTaken(error) && !isUnknownCondition(error)) throw asFailure(error)
      await send({}).catch((again: unknown) => {
        throw asFailure(again)
      })
    }
    await proveWritten(keyOf(sha256), { sha256 })
  }

  async function copyToName(key: string, { sha256, sizeBytes }: StoredObject): Promise<void> {
    const { client, CopyObjectCommand } = await s3()
    const source = encodeURI(`${Bucket}/${key}`)
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key: keyOf(sha256), CopySource: source }))
    } catch (error) {
      await remove(key).catch(() => {})
      throw asFailure(error)
    }
    await remove(key).catch(() => {})
    const found = await look(sha256)
    if (found?.sizeBytes !== sizeBytes) throw new ObjectsUnavailable('did not copy what it was told to')
  }

  /** Of two nodes that have the same bytes, the later one finds them there. Their age counts from now. */
  async function renew(sha256: string): Promise<void> {
    const found = await look(sha256)
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
      throw asFailure(error)
    })
  }

  async function isSound(key: string, sha256: string): Promise<boolean> {
    const hash = createHash('sha256')
    try {
      for await (const bytes of readRange(await s3(), Bucket, key, sha256, 0, undefined)) hash.update(bytes)
    } catch (error) {
      if (error instanceof ObjectsUnavailable) throw error
      return false
    }
    return hash.digest('hex') === sha256
  }

  async function proveWritten(key: string, { sha256 }: Pick<StoredObject, 'sha256'>): Promise<void> {
    if (!(await isSound(key, sha256)))
      throw new ObjectsUnavailable('does not give back what was written to it')
  }

  async function look(sha256: string): Promise<(ListedObject & { readonly etag: string }) | undefined> {
    if (!isObjectName(sha256)) return undefined
    const { client, HeadObjectCommand } = await s3()
    try {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) }))
      const keptAtMs = head.LastModified?.getTime() ?? 0
      return { sha256, sizeBytes: head.ContentLength ?? 0, keptAtMs, etag: head.ETag ?? '' }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw asFailure(error)
    }
  }

  async function remove(Key: string): Promise<void> {
    const { client, DeleteObjectCommand } = await s3()
    await client.send(new DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (!isMissing(error)) throw asFailure(error)
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
    async *read(sha256, start = 0, end) {
      yield* readRange(await s3(), Bucket, keyOf(sha256), sha256, start, end)
    },
    has: async (sha256) => (await look(sha256)) !== undefined,
    fingerprint: async (sha256) => {
      const found = await look(sha256)
      return found && `${found.etag}-${found.sizeBytes}-${found.keptAtMs}`
    },
    look: async (sha256) => {
      const found = await look(sha256)
      return found && { sha256, sizeBytes: found.sizeBytes, keptAtMs: found.keptAtMs }
    },
    async *list(after = '') {
      yield* listAll(await s3(), Bucket, `${prefix}objects/`, after)
    },
    delete: async (sha256) => (isObjectName(sha256) ? remove(keyOf(sha256)) : undefined),
    sweepTemp: async () => sweepAbandoned(await s3(), Bucket, `${prefix}tmp/`, now()),
    check: async () => {
      const { client, HeadBucketCommand } = await s3()
      await client.send(new HeadBucketCommand({ Bucket })).catch((error: unknown) => {
        throw asFailure(error)
      })
    },
    isRemote: true,
    close: async () => (await loading)?.client.destroy(),
  }
}

/** Tells a source that failed from a store that did. Pieces are lent, and a part is sent later: each is copied. */
async function* noting(
  content: AsyncIterable<Uint8Array>,
  cut: { by?: unknown },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of content) yield new Uint8Array(piece)
  } catch (error) {
    cut.by = error
    throw error
  }
}
