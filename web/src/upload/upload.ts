import type { Submission } from '@kitseal/client'
import { multipartBody, NetworkError, ONE_REQUEST_BYTES } from '@kitseal/client'
import { randomKey } from '../core/random-key.ts'
import { refusalOf } from '../core/fetch-json.ts'
import type { ChosenFile } from './chosen-files.ts'
import { Cancelled, type Sending } from './sending.ts'
import { sendLargeFile } from './upload-large.ts'
import { CONSOLE, type UploadPlace } from './upload-place.ts'

/** The files of one request, with its idempotency key. */
export interface Batch {
  readonly files: readonly ChosenFile[]
  readonly key: string
}

/** Uploads files and leaves the submission open. */
export function sendFiles(
  submissionId: string,
  batch: Batch,
  onProgress: (sentBytes: number) => void,
  place: UploadPlace = CONSOLE,
): Sending {
  const [first, ...others] = batch.files
  if (first !== undefined && others.length === 0 && first.file.size > ONE_REQUEST_BYTES)
    return sendLargeFile(submissionId, first, onProgress, place)
  return send(submissionId, { final: 'false' }, batch, onProgress, place)
}

const ONE_BY_ONE_UP_TO = 50
const BATCH_FILES = 50
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Groups the remaining files. A batch that was tried before keeps its files and its key: the service may already have it,
 * with only the response lost.
 */
export function batches(tried: readonly Batch[], left: ReadonlySet<ChosenFile>): readonly Batch[] {
  const again = tried.filter(({ files }) => files.every((one) => left.has(one)))
  const kept = new Set(again.flatMap(({ files }) => files))
  const rest = [...left].filter((one) => !kept.has(one))
  return [...again, ...groupFiles(rest).map((files) => ({ files, key: randomKey() }))]
}

/** Up to 50 files are sent one by one; more are sent in batches, to save round trips. */
function groupFiles(files: readonly ChosenFile[]): readonly (readonly ChosenFile[])[] {
  if (files.length <= ONE_BY_ONE_UP_TO) return files.map((one) => [one])
  const groups: ChosenFile[][] = []
  let bytes = 0
  for (const one of files) {
    const last = groups.at(-1)
    bytes += one.file.size
    if (last === undefined || last.length >= BATCH_FILES || bytes > BATCH_BYTES) {
      groups.push([one])
      bytes = one.file.size
    } else last.push(one)
  }
  return groups
}

/** Submits: no more files can be added, and checking starts. `accept`: the codes of findings to acknowledge. */
export function submitDraft(
  submissionId: string,
  accept: readonly string[],
  place: UploadPlace = CONSOLE,
): Sending {
  const codes = accept.toSorted()
  const fields = { final: 'true', ...(codes.length === 0 ? {} : { accept: codes.join(',') }) }
  // Another key for other codes, because it is another request.
  const key = ['submit', submissionId, ...codes.map(shortCode)].join('-')
  return send(submissionId, fields, { files: [], key }, () => undefined, place)
}

const shortCode = (code: string): string => code.slice(0, 3) + code.slice(-3)

/** Uses XMLHttpRequest, because `fetch` has no upload progress. Does not use `FormData`, which encodes `a"b.txt` and `a%22b.txt` alike. */
function send(
  submissionId: string,
  fields: Readonly<Record<string, string>>,
  { files, key }: Batch,
  onProgress: (sentBytes: number) => void,
  place: UploadPlace,
): Sending {
  const { promise, resolve, reject } = Promise.withResolvers<Submission>()
  const contents = files.map(({ name, file }) => ({ name, content: file }))
  const body = multipartBody(fields, contents, `kitseal-${randomKey()}`)
  let isCancelled = false
  const request = new XMLHttpRequest()
  const url = `${place.url}/v1/submissions/${submissionId}/evidence`
  request.open('POST', url)
  const headers = { ...place.headers, 'Content-Type': body.contentType, 'Idempotency-Key': key }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve(request.response as Submission)
    return reject(refusalOf(request.status, request.response))
  })
  request.addEventListener('error', () => reject(new NetworkError('POST', url, 'connection failed')))
  void body.blob().then((blob) => {
    if (!isCancelled) request.send(blob)
  }, reject)
  const cancel = (): void => {
    isCancelled = true
    request.abort()
    reject(new Cancelled())
  }
  return { sent: promise, cancel }
}
