import { base64url } from '@kitseal/kit'
import type { Submission } from './api-types.generated.ts'
import { address, call } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { type Evidence, multipartBody, sizeOf } from './multipart.ts'
import { withRetries } from './retry.ts'
import { sendUpload, type UploadProgress } from './send-upload.ts'
import type { Transport } from './transport.ts'

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Whether this is all: the submission is sealed and examined. `false` keeps it open for more. Default: true. */
  readonly final?: boolean
}

/**
 * Sends files to a submission, all in one request. A cut upload leaves the submission as it was, so it is sent again;
 * but only after the service was asked whether the lost one had arrived after all.
 */
export async function uploadEvidence(
  transport: Transport,
  submissionId: string,
  files: readonly Evidence[],
  { signal, onProgress, final = true }: UploadOptions,
): Promise<Submission> {
  const place = { submission_id: submissionId }
  const boundary = `kitseal-${base64url(transport.surroundings.randomBytes(24))}`
  const body = multipartBody(final ? {} : { final: 'false' }, files, boundary)
  const request = { ...address('uploadEvidence', place), signal }
  // Asked first: what is refused anyway is refused before a hundred megabytes are sent.
  const before = (await submission()).evidence.length
  let lost = false
  return withRetries(transport.retry, transport.surroundings, signal, async () => {
    const arrived = lost ? await arrivedAfterAll() : undefined
    if (arrived !== undefined) return arrived
    try {
      return await sendUpload<Submission>(transport, { request, body, onProgress })
    } catch (error) {
      // The lost one may have come to its end only now.
      const late = lost && isSealed(error) ? await arrivedAfterAll() : undefined
      if (late !== undefined) return late
      lost ||= isLost(error)
      throw error
    }
  })

  async function arrivedAfterAll(): Promise<Submission | undefined> {
    const now = await submission()
    const added = now.evidence.slice(before)
    const isOurs = files.every(
      (file, at) => added[at]?.name === file.name && added[at].size_bytes === sizeOf(file),
    )
    return added.length > 0 && isOurs ? now : undefined
  }

  async function submission(): Promise<Submission> {
    return (await call(transport, 'getSubmission', place, { signal })).answer
  }
}

/** The request may have arrived, and its answer not. */
function isLost(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

const isSealed = (error: unknown): boolean => error instanceof ApiError && error.code === 'submission_sealed'
