// docs/decisions/0312
import { multipartBody } from '@kitseal/client'
import { API, ApiProblem, OWN_REQUEST } from '../console/api.ts'
import { randomKey } from '../console/random-key.ts'
import type { Submission } from '../console/types.ts'
import { refusalOf } from '../fetch-json.ts'
import { texts } from '../texts/index.ts'
import type { ChosenFile } from './chosen-files.ts'

export class Cancelled extends Error {}

export interface SendingFile {
  readonly sent: Promise<Submission>
  cancel(): void
}

/** Files that go in one request, and the key under which the service takes them once. */
export interface Batch {
  readonly files: readonly ChosenFile[]
  readonly key: string
}

/** Sends files and leaves the submission open for more. `fetch` cannot tell how much has been sent; this can. */
export function sendFiles(
  submissionId: string,
  batch: Batch,
  onProgress: (sentBytes: number) => void,
): SendingFile {
  return send(submissionId, { final: 'false' }, batch, onProgress)
}

const ONE_BY_ONE_UP_TO = 50
const BATCH_FILES = 50
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * What is left to send. A batch that was tried before stays as it was, under its key: its answer may have been lost, and
 * the service have it already.
 */
export function batches(tried: readonly Batch[], left: ReadonlySet<ChosenFile>): readonly Batch[] {
  const again = tried.filter(({ files }) => files.every((one) => left.has(one)))
  const kept = new Set(again.flatMap(({ files }) => files))
  const rest = [...left].filter((one) => !kept.has(one))
  return [...again, ...grouped(rest).map((files) => ({ files, key: randomKey() }))]
}

/** A few files go one by one; of thousands, small ones go together, or most of the time would be spent on asking. */
function grouped(files: readonly ChosenFile[]): readonly (readonly ChosenFile[])[] {
  if (files.length <= ONE_BY_ONE_UP_TO) return files.map((one) => [one])
  const made: ChosenFile[][] = []
  let bytes = 0
  for (const one of files) {
    const last = made.at(-1)
    bytes += one.file.size
    if (last === undefined || last.length >= BATCH_FILES || bytes > BATCH_BYTES) {
      made.push([one])
      bytes = one.file.size
    } else last.push(one)
  }
  return made
}

/** Says that everything is there: the submission is sealed and starts. */
export function sealSubmission(submissionId: string): SendingFile {
  return send(submissionId, { final: 'true' }, { files: [], key: `seal-${submissionId}` }, () => undefined)
}

/** Not by `FormData`: in that, a file called `a%22b.txt` has the same name as one called `a"b.txt`. */
function send(
  submissionId: string,
  fields: Readonly<Record<string, string>>,
  { files, key }: Batch,
  onProgress: (sentBytes: number) => void,
): SendingFile {
  const { promise, resolve, reject } = Promise.withResolvers<Submission>()
  const contents = files.map(({ name, file }) => ({ name, content: file }))
  const body = multipartBody(fields, contents, `kitseal-${randomKey()}`)
  let isCancelled = false
  const request = new XMLHttpRequest()
  request.open('POST', `${API}/v1/submissions/${submissionId}/evidence`)
  const headers = { ...OWN_REQUEST, 'Content-Type': body.contentType, 'Idempotency-Key': key }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve(request.response as Submission)
    const { code, message } = refusalOf(request.response)
    return reject(new ApiProblem(request.status, code, message))
  })
  request.addEventListener('error', () => reject(new ApiProblem(0, 'unreachable', texts.problem.offline)))
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
