import { API, ApiProblem, OWN_REQUEST } from '../console/api.ts'
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
  const form = new FormData()
  form.append('final', 'false')
  for (const { name, file } of files) form.append('file', file, name)
  return send(submissionId, form, onProgress)
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
  const form = new FormData()
  form.append('final', 'true')
  return send(submissionId, form, () => undefined)
}

function send(submissionId: string, form: FormData, onProgress: (sentBytes: number) => void): SendingFile {
  const { promise, resolve, reject } = Promise.withResolvers<Submission>()
  const request = new XMLHttpRequest()
  request.open('POST', `${API}/v1/submissions/${submissionId}/evidence`)
  for (const [name, value] of Object.entries(OWN_REQUEST)) request.setRequestHeader(name, value)
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve(request.response as Submission)
    const { code, message } = refusalOf(request.response)
    return reject(new ApiProblem(request.status, code, message))
  })
  request.addEventListener('error', () => reject(new ApiProblem(0, 'unreachable', texts.problem.offline)))
  request.addEventListener('abort', () => reject(new Cancelled()))
  request.send(form)
  return { sent: promise, cancel: () => request.abort() }
}
