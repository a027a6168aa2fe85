import {
  type AppendOptions,
  ObjectsUnavailable,
  PartialLost,
  type PartialObject,
  type PartialProgress,
  readAll,
  type ResumableObjects,
  type StoredObject,
  Measure,
} from './object-store.ts'
import { ignoreMissing, isMissing, type S3, storeError, readKey } from './s3-client.ts'

const MIB = 1024 * 1024
const MIN_PART_BYTES = 8 * MIB
/** S3 allows 10,000 parts. */
const MAX_PARTS = 9000

/** All parts of an upload but the last have this size, so that the offset tells which parts exist. */
const partBytesOf = (sizeBytes: number): number =>
  Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB)

interface S3Place {
  readonly bucket: string
  readonly prefix: string
  s3(): Promise<S3>
}

/**
 * Partial objects in S3: a multipart upload to the name that the object will have, and what is less than a part at
 * `partial/NAME/tail-INDEX`. The state is the ID of the multipart upload; the store lists its parts.
 */
export function s3Resumable({ bucket: Bucket, prefix, s3 }: S3Place): ResumableObjects {
  const wholeKey = (object: string): string => `${prefix}objects/${object}`
  const tailKey = (object: string, index: number): string => `${prefix}partial/${object}/tail-${index}`

  async function append(
    { object, sizeBytes, offset: start, state: before }: PartialObject,
    content: AsyncIterable<Uint8Array>,
    { commit, atomic }: AppendOptions,
  ): Promise<PartialProgress> {
    const partBytes = partBytesOf(sizeBytes)
    let [buffer, other] = twoBuffers(Math.min(partBytes, sizeBytes), sizeBytes > partBytes)
    let state = before
    let index = Math.floor(start / partBytes)
    let filled = await readTail(object, index, start % partBytes, buffer)
    let [offset, committed, tailOffset] = [start, start, start]

    let sending: Promise<void> = Promise.resolve()
    const sendPart = async (part: Buffer, number: number, end: number): Promise<void> => {
      if (state === '') state = await begin(object)
      await uploadPart(object, state, number, part)
      if (atomic) return
      await commit({ offset: end, state })
      committed = end
    }
    /** One part is sent while the next arrives. */
    const endPart = async (): Promise<void> => {
      await sending
      sending = sendPart(buffer, index + 1, offset)
      // Thrown where it is awaited.
      sending.catch(() => {})
      ;[buffer, other] = [other, buffer]
      index += 1
      filled = 0
      tailOffset = offset
    }
    const take = async (chunk: Uint8Array): Promise<void> => {
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + buffer.length - filled)
        buffer.set(piece, filled)
        filled += piece.length
        offset += piece.length
        at += piece.length
        if (filled === partBytes) await endPart()
      }
    }
    const failure = await readAll(content, take)
    await sending
    if (failure !== undefined && atomic) throw failure.error
    if (offset > tailOffset && filled > 0) await put(tailKey(object, index), buffer.subarray(0, filled))
    if (offset > committed) await commit({ offset, state })
    if (failure !== undefined) throw failure.error
    return { offset, state }
  }

  async function readTail(object: string, index: number, length: number, buffer: Buffer): Promise<number> {
    if (length === 0) return 0
    let filled = 0
    try {
      for await (const bytes of readKey(await s3(), Bucket, tailKey(object, index), 0, length)) {
        buffer.set(bytes, filled)
        filled += bytes.length
      }
    } catch (error) {
      if (error instanceof ObjectsUnavailable) throw error
      throw new PartialLost(object, error)
    }
    return filled
  }

  async function begin(object: string): Promise<string> {
    const { client } = await s3()
    const { UploadId } = await client.createMultipartUpload({ Bucket, Key: wholeKey(object) })
    if (UploadId === undefined) throw new ObjectsUnavailable('did not begin a multipart upload')
    return UploadId
  }

  async function uploadPart(
    object: string,
    UploadId: string,
    PartNumber: number,
    Body: Buffer,
  ): Promise<void> {
    const { client } = await s3()
    const part = { Bucket, Key: wholeKey(object), UploadId, PartNumber, Body }
    await client.uploadPart(part).catch(lost(object))
  }

  async function put(Key: string, Body: Buffer): Promise<void> {
    const { client } = await s3()
    await client.putObject({ Bucket, Key, Body })
  }

  /** Completes the multipart upload, unless a request that crashed has done so. */
  async function complete({ object, sizeBytes, state }: PartialObject): Promise<void> {
    if (await isComplete(object, sizeBytes)) return
    const partBytes = partBytesOf(sizeBytes)
    const index = Math.floor(sizeBytes / partBytes)
    const rest = sizeBytes % partBytes
    const tail = Buffer.allocUnsafeSlow(rest)
    await readTail(object, index, rest, tail)
    if (state === '') return put(wholeKey(object), tail)
    if (rest > 0) await uploadPart(object, state, index + 1, tail)
    const parts = await listParts(object, state)
    const total = parts.reduce((sum, { size }) => sum + size, 0)
    if (total !== sizeBytes || parts.some(({ number }, at) => number !== at + 1))
      throw new PartialLost(object)
    const { client } = await s3()
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const completion = { Bucket, Key: wholeKey(object), UploadId: state, MultipartUpload: { Parts } }
    await client.completeMultipartUpload(completion)
  }

  async function isComplete(object: string, sizeBytes: number): Promise<boolean> {
    const { client } = await s3()
    try {
      const { ContentLength } = await client.headObject({ Bucket, Key: wholeKey(object) })
      return ContentLength === sizeBytes
    } catch (error) {
      ignoreMissing(error)
      return false
    }
  }

  async function listParts(object: string, UploadId: string) {
    const { client } = await s3()
    const parts: { readonly number: number; readonly etag: string; readonly size: number }[] = []
    try {
      for await (const page of client.paginateListParts({ Bucket, Key: wholeKey(object), UploadId })) {
        for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
          parts.push({ number: PartNumber, etag: ETag, size: Size })
        // The last page has a marker too, which begins again.
        if (page.IsTruncated !== true) break
      }
      return parts
    } catch (error) {
      return lost(object)(error)
    }
  }

  async function removeTails(object: string): Promise<void> {
    const { client } = await s3()
    for await (const page of client.paginateListObjectsV2({ Bucket, Prefix: `${prefix}partial/${object}/` }))
      for (const { Key = '' } of page.Contents ?? []) await client.deleteObject({ Bucket, Key })
  }

  async function abort(object: string, UploadId: string): Promise<void> {
    const { client } = await s3()
    await client.abortMultipartUpload({ Bucket, Key: wholeKey(object), UploadId }).catch(ignoreMissing)
  }

  async function finish(partial: PartialObject): Promise<StoredObject> {
    const { object, sizeBytes } = partial
    await complete(partial)
    const measure = new Measure()
    for await (const bytes of readKey(await s3(), Bucket, wholeKey(object), 0, sizeBytes))
      measure.update(bytes)
    // Otherwise they are swept.
    await removeTails(object).catch(() => {})
    return { object, ...measure.result() }
  }

  return {
    append: (partial, content, options) => append(partial, content, options).catch(rethrow),
    finish: (partial) => finish(partial).catch(rethrow),
    async remove({ object, state }) {
      if (state !== '') await abort(object, state).catch(rethrow)
      await removeTails(object).catch(rethrow)
    },
  }
}

function twoBuffers(length: number, isLarge: boolean): [Buffer, Buffer] {
  const buffer = Buffer.allocUnsafeSlow(length)
  return [buffer, isLarge ? Buffer.allocUnsafeSlow(length) : buffer]
}

const lost =
  (object: string) =>
  (error: unknown): never => {
    throw isMissing(error) ? new PartialLost(object, error) : error
  }

/** Errors of the store become `ObjectsUnavailable`. Errors of the content pass through. */
function rethrow(error: unknown): never {
  const isOfStore = typeof error === 'object' && error !== null && '$metadata' in error
  throw isOfStore ? storeError(error) : error
}
