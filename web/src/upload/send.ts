import {
  createClient,
  multipartBody,
  NetworkError,
  ONE_REQUEST_BYTES,
  type Submission,
} from '@kitseal/client'
import { toApiError } from '@kitseal/client/internal'
import { OWN_REQUEST, randomKey } from '../core/fetch-json.ts'
import type { ChosenFile } from './check-worker.ts'

/** Where the routes of the API are mounted for uploads: the console, or the link of a request. */
export interface UploadPlace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export const CONSOLE: UploadPlace = { url: '', headers: OWN_REQUEST }

/** The user cancelled the upload. */
export class Cancelled extends Error {}

/** A request in progress. */
export interface Sending {
  readonly sent: Promise<unknown>
  cancel(): void
}

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
  place: UploadPlace,
): Sending {
  const [first, ...others] = batch.files
  if (first !== undefined && others.length === 0 && first.file.size > ONE_REQUEST_BYTES)
    return sendLargeFile(submissionId, first, onProgress, place)
  return send(submissionId, { final: 'false' }, batch, onProgress, place)
}

/** Uploads one large file, from where an earlier upload of it stopped. Keeps trying for some minutes without a connection. */
function sendLargeFile(
  submissionId: string,
  { name, file }: ChosenFile,
  onProgress: (sentBytes: number) => void,
  { url, headers }: UploadPlace,
): Sending {
  const stop = new AbortController()
  const client = createClient({
    baseUrl: `${location.origin}${url}`,
    headers,
    retry: { attempts: 25, capMs: 15_000 },
  })
  const evidence = { name, content: file, resumeKey: `modified ${file.lastModified}` }
  const sent = client.uploadFile(submissionId, evidence, {
    signal: stop.signal,
    onProgress: ({ doneBytes }) => onProgress(doneBytes),
  })
  return { sent, cancel: () => stop.abort(new Cancelled()) }
}

/** Submits: no more files can be added, and checking starts. `accept`: the codes of findings to acknowledge. */
export function submitDraft(submissionId: string, accept: Iterable<string>, place: UploadPlace): Sending {
  const codes = [...new Set(accept)].toSorted()
  const fields = { final: 'true', ...(codes.length === 0 ? {} : { accept: codes.join(',') }) }
  // Another key for other codes, because it is another request.
  const key = ['submit', submissionId, ...codes.map((code) => code.slice(0, 3) + code.slice(-3))].join('-')
  return send(submissionId, fields, { files: [], key }, () => undefined, place)
}

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
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('load', () => {
    const { status, responseText } = request
    if (status < 300) return resolve(new Response(responseText).json() as Promise<Submission>)
    const answered = { get: (name: string) => request.getResponseHeader(name) }
    return reject(toApiError(url, status, responseText, answered, Date.now()))
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
