import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Evidence } from '../src/multipart.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * A file on disk as evidence. It is streamed during the upload, never read into memory as a whole.
 *
 * @example
 * ```ts
 * import { createClient } from '@kitseal/client'
 * import { evidenceFile } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review' })
 * await client.uploadEvidence(submission_id, [evidenceFile('evidence/users.csv')])
 * ```
 */
export function evidenceFile(path: string, name: string = basename(path)): Evidence {
  const { size, mtimeMs } = statSync(path)
  const readFrom = (start: number) => createReadStream(path, { start, highWaterMark: CHUNK_BYTES })
  return { name, sizeBytes: size, read: () => readFrom(0), readFrom, resumeKey: `modified ${mtimeMs}` }
}
