import { base64url, utf8 } from '@kitseal/kit/internal'
import type { Upload } from './api-types.generated.ts'
import { call, endpoint } from './call.ts'
import { ApiError } from './errors.ts'
import { contentFrom, type Evidence, ownedFile, sizeOf } from './multipart.ts'
import { withRetries, send, sendForJson, type Transport } from './transport.ts'
import { streamBody, type UploadProgress } from './send-upload.ts'

export interface UploadFileOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /**
   * Continue an earlier upload of the same file, if there is one, and keep what arrived if this one fails. Without it, an
   * upload that fails is deleted. Default: true.
   */
  readonly resume?: boolean
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
export async function uploadFile(
  transport: Transport,
  submissionId: string,
  given: Evidence,
  { signal, onProgress, resume = true }: UploadFileOptions,
): Promise<Upload> {
  const file = ownedFile(given)
  const totalBytes = sizeOf(file)
  const params = { submission_id: submissionId }
  let upload = resume ? await findUnfinished() : undefined
  let storedBytes = 0
  let restarts = 0
  let busyMs = 0
  try {
    return await withRetries(transport.retry, transport.platform, signal, sendAll)
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
    const key = resumeKeyOf(file)
    if (key === undefined) return undefined
    const { data } = await call(transport, 'listUploads', params, { signal })
    return data.data.find(
      ({ name, size_bytes, resume_key }) =>
        name === file.name && size_bytes === totalBytes && resume_key === key,
    )
  }

  async function create(): Promise<Upload> {
    const key = resumeKeyOf(file)
    const headers = {
      ...TUS,
      'upload-length': String(totalBytes),
      'upload-metadata': `filename ${base64(file.name)}${key === undefined ? '' : `,resume_key ${base64(key)}`}`,
      'idempotency-key': base64url(transport.platform.randomBytes(24)),
    }
    const request = { ...endpoint('createUpload', params), headers, signal }
    return withRetries(
      transport.retry,
      transport.platform,
      signal,
      async () => (await sendForJson<Upload>(transport, request)).data,
    )
  }

  async function refresh({ upload_id }: Upload): Promise<Upload> {
    const request = { ...endpoint('getUpload', { ...params, upload_id }), signal }
    return (await sendForJson<Upload>(transport, request)).data
  }

  async function sendChunk(uploadId: string, offset: number): Promise<number> {
    const content = contentFrom(file, offset)
    const isBlob = content instanceof Blob
    const length = Math.min(totalBytes - offset, isBlob ? BLOB_CHUNK_BYTES : CHUNK_BYTES)
    const body = isBlob
      ? { stream: content.slice(0, length), failure: () => undefined }
      : streamBody(content, length, (sent) => onProgress?.({ doneBytes: offset + sent, totalBytes }))
    const headers = {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(isBlob ? {} : { 'content-length': String(length) }),
    }
    const request = { ...endpoint('appendToUpload', { ...params, upload_id: uploadId }), headers, signal }
    try {
      const response = await send(transport, { ...request, body: body.stream })
      await response.body?.cancel()
      return Number(response.headers.get('upload-offset'))
    } catch (error) {
      // An unreadable file is not a network error, so it is not retried.
      throw body.failure() ?? error
    }
  }
}

/** The offset is asked for again, or the upload starts over. */
const RESTARTABLE: ReadonlySet<string> = new Set([
  'upload_offset_wrong',
  'upload_not_found',
  'upload_expired',
])

export async function deleteUpload(
  transport: Transport,
  submissionId: string,
  uploadId: string,
  signal?: AbortSignal,
): Promise<void> {
  const params = { submission_id: submissionId, upload_id: uploadId }
  const request = { ...endpoint('deleteUpload', params), headers: TUS, signal }
  await withRetries(transport.retry, transport.platform, signal, () => send(transport, request))
}

/** Equal for the same content: chosen by the caller, or the time of the last change of a browser's `File`. */
function resumeKeyOf(file: Evidence): string | undefined {
  if ('resumeKey' in file) return file.resumeKey
  return 'lastModified' in file ? `modified ${String(file.lastModified)}` : undefined
}

const base64 = (text: string): string => btoa(String.fromCharCode(...utf8(text.toWellFormed())))
