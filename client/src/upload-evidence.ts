import { base64url, type SubmissionProvenance } from '@kitseal/kit/internal'
import type { Submission } from './api-types.generated.ts'
import { caller, endpoint } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { type Evidence, multipartBody, ownedFile, sizeOf } from './multipart.ts'
import { withRetries, type Transport } from './transport.ts'
import { sendUpload, type UploadProgress } from './send-upload.ts'
import { uploadFile } from './upload-file.ts'

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Whether this is the last upload and checking can start. `false` keeps the draft open. Default: true. */
  readonly final?: boolean
  /** Codes of findings to acknowledge, so that they do not block the submission. */
  readonly accept?: readonly string[]
  /** Where you say the evidence came from. It replaces what was stated before about all files, or about the same file. */
  readonly provenance?: SubmissionProvenance
  /**
   * Whether an earlier upload of the same files to this submission is continued, and this one can be: files that the
   * submission has, by name and size, are not sent again. Default: false.
   */
  readonly resume?: boolean
}

/** Up to this size, all files are sent in one request, which starts over when it is interrupted. */
export const ONE_REQUEST_BYTES = 16 * 1024 * 1024
/** Of larger uploads, files up to this size are still sent together, to save round trips. */
const SMALL_FILE_BYTES = 1024 * 1024
/** Of one form. */
const MAX_FILES = 1000

/** Uploads files to a submission: in one request, or each large file on its own, so that it can be continued. */
export async function uploadEvidence(
  transport: Transport,
  submissionId: string,
  given: readonly Evidence[],
  options: UploadOptions,
): Promise<Submission> {
  const { signal, onProgress, final = true, resume = false } = options
  const accept = [...(options.accept ?? [])]
  const stated = options.provenance === undefined ? {} : { provenance: structuredClone(options.provenance) }
  const files = given.map(ownedFile)
  const totalBytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
  if (totalBytes <= ONE_REQUEST_BYTES && !resume)
    return uploadTogether(transport, submissionId, files, { signal, onProgress, final, accept, ...stated })
  const get = () => caller(transport)('getSubmission', { submission_id: submissionId }, { signal })
  const before = await get()
  const isStored = (file: Evidence): boolean =>
    before.evidence.some(({ name, size_bytes }) => name === file.name && size_bytes === sizeOf(file))
  const left = resume ? files.filter((file) => !isStored(file)) : files
  const isLarge = (file: Evidence): boolean =>
    totalBytes > ONE_REQUEST_BYTES && sizeOf(file) > SMALL_FILE_BYTES
  let doneBytes = totalBytes - left.reduce((sum, file) => sum + sizeOf(file), 0)
  const report = (more: number): void => onProgress?.({ doneBytes: doneBytes + more, totalBytes })
  for (const file of left.filter(isLarge)) {
    await uploadFile(transport, submissionId, file, {
      signal,
      onProgress: (at) => report(at.doneBytes),
      resume,
    })
    doneBytes += sizeOf(file)
  }
  const small = left.filter((file) => !isLarge(file))
  const isAbout = accept.length > 0 || options.provenance !== undefined
  if (small.length === 0 && !final && !isAbout) return get()
  const ofForm = ({ doneBytes: sent, totalBytes: all }: UploadProgress): void =>
    report(Math.round((sent / all) * (totalBytes - doneBytes)))
  return uploadTogether(transport, submissionId, small, {
    signal,
    onProgress: ofForm,
    final,
    accept,
    ...stated,
  })
}

/** More files than a form may have are sent in several. */
async function uploadTogether(
  transport: Transport,
  submissionId: string,
  files: readonly Evidence[],
  options: UploadOptions,
): Promise<Submission> {
  if (files.length <= MAX_FILES) return uploadForm(transport, submissionId, files, options)
  const { signal } = options
  await uploadForm(transport, submissionId, files.slice(0, MAX_FILES), { signal, final: false })
  return uploadTogether(transport, submissionId, files.slice(MAX_FILES), options)
}

/**
 * Uploads files to a submission in one request. An interrupted upload stores nothing, so it is retried, but only after
 * checking that it did not succeed with its response lost.
 */
async function uploadForm(
  transport: Transport,
  submissionId: string,
  files: readonly Evidence[],
  { signal, onProgress, final = true, accept = [], provenance }: UploadOptions,
): Promise<Submission> {
  const params = { submission_id: submissionId }
  const boundary = `kitseal-${base64url(transport.platform.randomBytes(24))}`
  const fields = {
    ...(final && files.length > 0 ? {} : { final: String(final) }),
    ...(accept.length === 0 ? {} : { accept: accept.join(',') }),
    ...(provenance === undefined ? {} : { provenance: JSON.stringify(provenance) }),
  }
  const body = multipartBody(fields, files, boundary)
  // Without files, a stored upload could not be recognized.
  const headers =
    files.length === 0 ? { 'idempotency-key': base64url(transport.platform.randomBytes(24)) } : {}
  const request = { ...endpoint('uploadEvidence', params), headers, signal }
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
      const storedNow = mayHaveArrived && isSubmitted(error) ? await findStoredUpload() : undefined
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

  function getSubmission(): Promise<Submission> {
    return caller(transport)('getSubmission', params, { signal })
  }
}

/** Whether the service may have handled the request although no success was received. */
function isResponseLost(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

const isSubmitted = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'submission_submitted'
