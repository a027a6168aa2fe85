import { setTimeout as pause } from 'node:timers/promises'
import { isObjectName, type ListedObject, ObjectsUnavailable } from './object-store.ts'
import { isMissing, type S3, statusOf, storeError } from './s3-client.ts'

/** The objects under a prefix, in name order. */
export async function* listAll(
  { client, ListObjectsV2Command }: S3,
  bucket: string,
  prefix: string,
  after: string,
): AsyncGenerator<ListedObject> {
  let token: string | undefined
  do {
    const page = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix,
      ...(after === '' ? {} : { StartAfter: `${prefix}${after}` }),
      ...(token === undefined ? {} : { ContinuationToken: token }),
    })
    const answer = await repeatIfBusy(() => client.send(page))
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
export async function sweepAbandoned(
  s3: S3,
  bucket: string,
  prefix: string,
  beforeMs: number,
): Promise<number> {
  try {
    const aborted = await abortUploads(s3, bucket, `${prefix}objects/`, isBefore(beforeMs))
    return aborted + (await deletePartial(s3, bucket, `${prefix}partial/`, isBefore(beforeMs)))
  } catch (error) {
    throw storeError(error)
  }
}

const isBefore =
  (beforeMs: number): IsOld =>
  (time) =>
    (time?.getTime() ?? beforeMs) < beforeMs

type IsOld = (time: Date | undefined) => boolean

async function abortUploads(s3: S3, Bucket: string, Prefix: string, isOld: IsOld): Promise<number> {
  const { client, ListMultipartUploadsCommand, AbortMultipartUploadCommand } = s3
  let aborted = 0
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (marker !== undefined) {
    const answer: Awaited<ReturnType<typeof list>> = await list(marker)
    for (const { Key, UploadId, Initiated } of answer.Uploads ?? []) {
      if (!isOld(Initiated) || Key === undefined || UploadId === undefined) continue
      await client
        .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
        .catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
      aborted += 1
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = answer
    marker =
      IsTruncated === true && NextKeyMarker !== undefined
        ? {
            KeyMarker: NextKeyMarker,
            ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
          }
        : undefined
  }
  return aborted

  async function list(from: { KeyMarker?: string; UploadIdMarker?: string }) {
    try {
      return await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from }))
    } catch (error) {
      // Stores without this operation clean up by themselves.
      if (statusOf(error) === 501)
        return { Uploads: [], IsTruncated: false, NextKeyMarker: undefined, NextUploadIdMarker: undefined }
      throw error
    }
  }
}

async function deletePartial(s3: S3, Bucket: string, Prefix: string, isOld: IsOld): Promise<number> {
  const { client, DeleteObjectCommand, ListObjectsV2Command } = s3
  let removed = 0
  for (;;) {
    const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
    const old = Contents.filter(({ LastModified }) => isOld(LastModified))
    for (const { Key = '' } of old) await client.send(new DeleteObjectCommand({ Bucket, Key }))
    removed += old.length
    // The page has only recent objects left. A later sweep finds the rest.
    if (IsTruncated !== true || old.length === 0) return removed
  }
}
