import { createClient } from '@kitseal/client'
import type { ChosenFile } from './chosen-files.ts'
import { Cancelled, type Sending } from './sending.ts'
import type { UploadPlace } from './upload-place.ts'

/** The client of the API, at the console or under a link. Keeps trying for some minutes without a connection. */
const client = ({ url: base, headers }: UploadPlace) =>
  createClient({
    baseUrl: `${location.origin}${base}`,
    headers,
    retry: { attempts: 25, capMs: 15_000 },
  })

/** Uploads one large file, from where an earlier upload of it stopped. */
export function sendLargeFile(
  submissionId: string,
  { name, file }: ChosenFile,
  onProgress: (sentBytes: number) => void,
  place: UploadPlace,
): Sending {
  const stop = new AbortController()
  const evidence = { name, content: file, resumeKey: `modified ${file.lastModified}` }
  const sent = client(place).uploadFile(submissionId, evidence, {
    signal: stop.signal,
    onProgress: ({ doneBytes }) => onProgress(doneBytes),
  })
  return { sent, cancel: () => stop.abort(new Cancelled()) }
}
