import { ApiError, createClient, NetworkError } from '@kitseal/client'
import { API, ApiProblem, OWN_REQUEST } from '../console/api.ts'
import { texts } from '../texts/index.ts'
import type { ChosenFile } from './chosen-files.ts'
import { Cancelled, type Sending } from './sending.ts'

/** The client of the API, with the session of the member. Keeps trying for some minutes without a connection. */
const client = () =>
  createClient({
    baseUrl: `${location.origin}${API}`,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...OWN_REQUEST } }),
    retry: { attempts: 25, capMs: 15_000 },
  })

/** Uploads one large file, from where an earlier upload of it stopped. */
export function sendLargeFile(
  submissionId: string,
  { name, file }: ChosenFile,
  onProgress: (sentBytes: number) => void,
): Sending {
  const stop = new AbortController()
  const evidence = { name, content: file, resumeKey: `modified ${file.lastModified}` }
  const sent = client()
    .uploadFile(submissionId, evidence, {
      signal: stop.signal,
      onProgress: ({ doneBytes }) => onProgress(doneBytes),
    })
    .catch((error: unknown) => {
      throw problemOf(error)
    })
  return { sent, cancel: () => stop.abort(new Cancelled()) }
}

function problemOf(error: unknown): unknown {
  if (error instanceof ApiError) return new ApiProblem(error.status, error.code, error.message)
  return error instanceof NetworkError ? new ApiProblem(0, 'unreachable', texts.problem.offline) : error
}
