import { base64url } from '@kitseal/kit'
import type { Submission } from './api-types.generated.ts'
import { call, endpoint } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { type Evidence, multipartBody, sizeOf } from './multipart.ts'
import { withRetries } from './retry.ts'
import { sendUpload, type UploadProgress } from './send-upload.ts'
import type { Transport } from './transport.ts'

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Whether this is the last upload and checking can start. `false` keeps the draft open. Default: true. */
  readonly final?: boolean
  /** Codes of findings to acknowledge, so that they do not block the submission. */
  readonly accept?: readonly string[]
}

/**
 * Uploads files to a submission in one request. An interrupted upload stores nothing, so it is retried, but only after
 * checking that it did not succeed with its response lost.
 */
export async function uploadEvidence(
  transport: Transport,
  submissionId: string,
  files: readonly Evidence[],
  { signal, onProgress, final = true, accept = [] }: UploadOptions,
): Promise<Submission> {
  const params = { submission_id: submissionId }
  const boundary = `kitseal-${base64url(transport.platform.randomBytes(24))}`
  const fields = {
    ...(final ? {} : { final: 'false' }),
    ...(accept.length === 0 ? {} : { accept: accept.join(',') }),
  }
  const body = multipartBody(fields, files, boundary)
  const request = { ...endpoint('uploadEvidence', params), signal }
  // Fetched first, so that a wrong ID or API key is reported before a large upload.
  const countBefore = (await getSubmission()).evidence.length
  let mayHaveArrived = false
  return withRetries(transport.retry, transport.platform, signal, async () => {
    const stored = mayHaveArrived ? await findStoredUpload() : undefined
    if (stored !== undefined) return stored
    try {
      return await sendUpload<Submission>(transport, { request, body, onProgress })
    } catch (error) {
      // The previous attempt may have completed during this one.
      const storedNow = mayHaveArrived && isSealed(error) ? await findStoredUpload() : undefined
      if (storedNow !== undefined) return storedNow
      mayHaveArrived ||= isResponseLost(error)
      throw error
    }
  })

  async function findStoredUpload(): Promise<Submission | undefined> {
    const submission = await getSubmission()
    const added = submission.evidence.slice(countBefore)
    const isOurs = files.every(
      (file, index) => added[index]?.name === file.name && added[index].size_bytes === sizeOf(file),
    )
    return added.length > 0 && isOurs ? submission : undefined
  }

  async function getSubmission(): Promise<Submission> {
    return (await call(transport, 'getSubmission', params, { signal })).data
  }
}

/** Whether the service may have handled the request although no success was received. */
function isResponseLost(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

const isSealed = (error: unknown): boolean => error instanceof ApiError && error.code === 'submission_sealed'
