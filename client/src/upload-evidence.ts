import { type SubmissionProvenance, utf8 } from '@kitseal/kit/internal'
import type { Submission, Upload } from './api-types.generated.ts'
import { call, caller, type CallOptions, endpoint, randomText } from './call.ts'
import { ApiError } from './errors.ts'
import { contentFrom, type Evidence, multipartBody, ownedFile, sizeOf } from './multipart.ts'
import { NO_TIMEOUT_MS, send, sendForJson, type Transport, withRetries } from './transport.ts'

export interface UploadProgress {
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface UploadFileOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /**
   * Continue an earlier upload of the same file, if there is one, and keep what arrived if this one fails. Without it, an
   * upload that fails is deleted. `uploadEvidence` also leaves out files that the submission has, by name and size. Default:
   * true for `uploadFile`, false for `uploadEvidence`.
   */
  readonly resume?: boolean
}

export interface UploadOptions extends UploadFileOptions {
  /** Whether this is the last upload and checking can start. `false` keeps the draft open. Default: true. */
  readonly final?: boolean
  /** Codes of findings to acknowledge, so that they do not block the submission. */
  readonly accept?: readonly string[]
  /** Where you say the evidence came from. It replaces what was stated before about all files, or about the same file. */
  readonly provenance?: SubmissionProvenance
}

/** Up to this size, all files are sent in one request, which starts over when it is interrupted. */
export const ONE_REQUEST_BYTES = 16 * 1024 * 1024
/** Of larger uploads, files up to this size are still sent together, to save round trips. */
const SMALL_FILE_BYTES = 1024 * 1024
/** Of one form. */
const MAX_FILES = 1000

/** The methods that upload. */
export const uploadMethods = (transport: Transport) => ({
  /** Uploads files and starts checking, unless `final` is false. More than 16 MiB are sent so that an interrupted upload continues. */
  uploadEvidence: (
    submissionId: string,
    files: readonly Evidence[],
    options: UploadOptions = {},
  ): Promise<Submission> => uploadEvidence(transport, submissionId, files, options),

  /** Uploads one large file and leaves the submission open. After an interruption, it continues where it stopped. */
  uploadFile: (submissionId: string, file: Evidence, options: UploadFileOptions = {}): Promise<Upload> =>
    uploadFile(transport, submissionId, file, options),

  /** Deletes an upload that is not finished. */
  deleteUpload: (submissionId: string, uploadId: string, options: CallOptions = {}): Promise<void> =>
    deleteUpload(transport, submissionId, uploadId, options.signal),
})

/** Large files are uploaded on their own, so that they can be continued, and the others in forms. */
async function uploadEvidence(
  transport: Transport,
  submissionId: string,
  given: readonly Evidence[],
  { signal, onProgress, final = true, accept = [], provenance, resume = false }: UploadOptions,
): Promise<Submission> {
  const statements = {
    ...(accept.length > 0 && { accept: accept.join(',') }),
    ...(provenance !== undefined && { provenance: JSON.stringify(provenance) }),
  }
  const files = given.map(ownedFile)
  const get = () => caller(transport)('getSubmission', { submission_id: submissionId }, { signal })
  const stored = resume ? (await get()).evidence : []
  const left = files.filter(
    (file) => !stored.some(({ name, size_bytes }) => name === file.name && size_bytes === sizeOf(file)),
  )
  const totalBytes = bytesOf(files)
  const isLarge = (file: Evidence): boolean =>
    totalBytes > ONE_REQUEST_BYTES && sizeOf(file) > SMALL_FILE_BYTES
  let doneBytes = totalBytes - bytesOf(left)
  const report = (sentBytes: number): void => onProgress?.({ doneBytes: doneBytes + sentBytes, totalBytes })
  for (const file of left.filter(isLarge)) {
    const onSent = (at: UploadProgress): void => report(at.doneBytes)
    await uploadFile(transport, submissionId, file, { signal, onProgress: onSent, resume })
    doneBytes += sizeOf(file)
  }
  const small = left.filter((file) => !isLarge(file))
  while (small.length > MAX_FILES) await sendForm(small.splice(0, MAX_FILES), { final: 'false' })
  if (small.length === 0 && !final && Object.keys(statements).length === 0) return get()
  return sendForm(small, { final: String(final), ...statements })

  /** A form that is interrupted stores nothing, and one that was stored is answered as before. */
  async function sendForm(
    some: readonly Evidence[],
    fields: Readonly<Record<string, string>>,
  ): Promise<Submission> {
    const form = multipartBody(fields, some, `kitseal-${randomText()}`)
    const headers = {
      'content-type': form.contentType,
      'content-length': String(form.sizeBytes),
      'idempotency-key': randomText(),
    }
    const request = { ...endpoint('uploadEvidence', { submission_id: submissionId }), headers, signal }
    const formBytes = bytesOf(some)
    const onSent = (sent: number): void => report(Math.round((sent / form.sizeBytes) * formBytes))
    const { data } = await withRetries(transport, signal, async () => {
      const { body, failure } = requestBody(await form.content(), form.sizeBytes, onSent)
      try {
        return await sendForJson<Submission>({ ...transport, timeoutMs: NO_TIMEOUT_MS }, { ...request, body })
      } catch (error) {
        throw failure() ?? error
      }
    })
    report(formBytes)
    doneBytes += formBytes
    return data
  }
}

const bytesOf = (files: readonly Evidence[]): number => files.reduce((sum, file) => sum + sizeOf(file), 0)

interface RequestBody {
  readonly body: Blob | ReadableStream<Uint8Array>
  /** Why it could not be read. That is not a network error, so it is not retried. */
  readonly failure: () => unknown
}

/** The first `length` bytes as the body of a request. */
function requestBody(
  content: Blob | AsyncIterable<Uint8Array>,
  length: number,
  onProgress: (sentBytes: number) => void,
): RequestBody {
  if (content instanceof Blob) return { body: content.slice(0, length), failure: () => undefined }
  let sentBytes = 0
  let failure: unknown
  const reader = content[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = sentBytes < length ? await reader.next() : undefined
          if (next === undefined || next.done === true) {
            if (sentBytes < length) throw new Error('the file became shorter while it was being read')
            await reader.return?.()
            return controller.close()
          }
          const bytes = next.value.subarray(0, length - sentBytes)
          sentBytes += bytes.length
          controller.enqueue(bytes)
          onProgress(sentBytes)
        } catch (error) {
          failure = error
          controller.error(error)
        }
      },
      cancel: async () => void (await reader.return?.()),
    },
    { highWaterMark: 0 },
  )
  return { body, failure: () => failure }
}

const TUS = { 'tus-resumable': '1.0.0' } as const
/** Small enough for proxies that limit the size of a request. */
const CHUNK_BYTES = 64 * 1024 * 1024
/** Without streams, progress is known per chunk. */
const BLOB_CHUNK_BYTES = 8 * 1024 * 1024
const BUSY_WAIT_MS = 1000
/** The service may need minutes to store a very large file. */
const MAX_BUSY_MS = 60 * 60 * 1000
const MAX_RESTARTS = 3
const MAX_DELETE_MS = 5000

/** Uploads one file in a way that survives interruptions (tus protocol 1.0). The submission stays a draft. */
async function uploadFile(
  transport: Transport,
  submissionId: string,
  given: Evidence,
  { signal, onProgress, resume = true }: UploadFileOptions,
): Promise<Upload> {
  const file = ownedFile(given)
  const key = resumeKeyOf(file)
  const totalBytes = sizeOf(file)
  const params = { submission_id: submissionId }
  let upload = resume ? await findUnfinished() : undefined
  let storedBytes = 0
  let restarts = 0
  let busyMs = 0
  try {
    return await withRetries(transport, signal, sendAll)
  } catch (error) {
    // Nobody is going to continue it, and it would block the submission.
    if (!resume && upload !== undefined)
      await deleteUpload(transport, submissionId, upload.upload_id, AbortSignal.timeout(MAX_DELETE_MS)).catch(
        () => undefined,
      )
    throw error
  }

  async function sendAll(onStored: () => void): Promise<Upload> {
    let offset: number | undefined
    for (;;) {
      try {
        if (upload === undefined) upload = await create()
        else if (offset === undefined) upload = await refresh(upload)
        offset ??= upload.offset_bytes
        // What arrived before an interruption counts, so that a long upload is not given up.
        if (offset > storedBytes) {
          onStored()
          ;[storedBytes, restarts, busyMs] = [offset, 0, 0]
        }
        onProgress?.({ doneBytes: offset, totalBytes })
        if (offset === totalBytes) return upload
        offset = await sendChunk(upload.upload_id, offset)
      } catch (error) {
        await recover(error)
        offset = undefined
      }
    }
  }

  /** Throws the error, unless asking for the offset again or starting over helps. */
  async function recover(error: unknown): Promise<void> {
    const code = error instanceof ApiError ? error.code : ''
    if (code === 'upload_in_progress' && busyMs < MAX_BUSY_MS) {
      // The service still works on an earlier request.
      busyMs += BUSY_WAIT_MS
      return transport.platform.wait(BUSY_WAIT_MS, signal)
    }
    if (!RESTARTABLE.has(code) || ++restarts > MAX_RESTARTS) throw error
    if (code !== 'upload_offset_wrong') upload = undefined
    return undefined
  }

  async function findUnfinished(): Promise<Upload | undefined> {
    if (key === undefined) return undefined
    const { data } = await call(transport, 'listUploads', params, { signal })
    return data.data.find(
      ({ name, size_bytes, resume_key }) =>
        name === file.name && size_bytes === totalBytes && resume_key === key,
    )
  }

  async function create(): Promise<Upload> {
    const headers = {
      ...TUS,
      'upload-length': String(totalBytes),
      'upload-metadata': `filename ${base64(file.name)}${key === undefined ? '' : `,resume_key ${base64(key)}`}`,
    }
    return (await call(transport, 'createUpload', params, { signal, headers, idempotent: true })).data
  }

  async function refresh({ upload_id }: Upload): Promise<Upload> {
    const request = { ...endpoint('getUpload', { ...params, upload_id }), signal }
    return (await sendForJson<Upload>(transport, request)).data
  }

  async function sendChunk(uploadId: string, offset: number): Promise<number> {
    const content = contentFrom(file, offset)
    const length = Math.min(totalBytes - offset, content instanceof Blob ? BLOB_CHUNK_BYTES : CHUNK_BYTES)
    const onSent = (sent: number): void => onProgress?.({ doneBytes: offset + sent, totalBytes })
    const { body, failure } = requestBody(content, length, onSent)
    const headers = {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
      'upload-offset': String(offset),
    }
    const request = { ...endpoint('appendToUpload', { ...params, upload_id: uploadId }), headers, signal }
    try {
      const response = await send(transport, { ...request, body })
      await response.body?.cancel()
      return Number(response.headers.get('upload-offset'))
    } catch (error) {
      throw failure() ?? error
    }
  }
}

/** The offset is asked for again, or the upload starts over. */
const RESTARTABLE: ReadonlySet<string> = new Set([
  'upload_offset_wrong',
  'upload_not_found',
  'upload_expired',
])

async function deleteUpload(
  transport: Transport,
  submissionId: string,
  uploadId: string,
  signal?: AbortSignal,
): Promise<void> {
  const params = { submission_id: submissionId, upload_id: uploadId }
  await call(transport, 'deleteUpload', params, { signal, headers: TUS })
}

/** Equal for the same content: chosen by the caller, or the time of the last change of a browser's `File`. */
function resumeKeyOf(file: Evidence): string | undefined {
  if ('resumeKey' in file) return file.resumeKey
  return 'lastModified' in file ? `modified ${String(file.lastModified)}` : undefined
}

const base64 = (text: string): string => btoa(String.fromCharCode(...utf8(text.toWellFormed())))
