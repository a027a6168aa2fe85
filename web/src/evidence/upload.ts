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

/** Sends files and leaves the submission open for more. `fetch` cannot tell how much has been sent; this can. */
export function sendFiles(
  submissionId: string,
  files: readonly ChosenFile[],
  onProgress: (sentBytes: number) => void,
): SendingFile {
  return send(submissionId, { final: 'false' }, files, onProgress)
}

const ONE_BY_ONE_UP_TO = 50
const BATCH_FILES = 50
const BATCH_BYTES = 4 * 1024 * 1024

/** A few files go one by one; of thousands, small ones go together, or most of the time would be spent on asking. */
export function batches(files: readonly ChosenFile[]): readonly (readonly ChosenFile[])[] {
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
  return send(submissionId, { final: 'true' }, [], () => undefined)
}

/** Not by `FormData`: in that, a file called `a%22b.txt` has the same name as one called `a"b.txt`. */
function send(
  submissionId: string,
  fields: Readonly<Record<string, string>>,
  files: readonly ChosenFile[],
  onProgress: (sentBytes: number) => void,
): SendingFile {
  const { promise, resolve, reject } = Promise.withResolvers<Submission>()
  const contents = files.map(({ name, file }) => ({ name, content: file }))
  const body = multipartBody(fields, contents, `kitseal-${randomKey()}`)
  let isCancelled = false
  const request = new XMLHttpRequest()
  request.open('POST', `${API}/v1/submissions/${submissionId}/evidence`)
  for (const [name, value] of Object.entries({ ...OWN_REQUEST, 'content-type': body.contentType }))
    request.setRequestHeader(name, value)
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
