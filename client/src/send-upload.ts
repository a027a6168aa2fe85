import { NetworkError } from './errors.ts'
import type { MultipartBody } from './multipart.ts'
import {
  type ApiRequest,
  apiError,
  headersOf,
  NO_LIMIT_MS,
  sendForJson,
  type Transport,
} from './transport.ts'

export interface UploadProgress {
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface Upload {
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'headers' | 'signal'>
  readonly body: MultipartBody
  readonly onProgress: ((progress: UploadProgress) => void) | undefined
}

/**
 * Sends a body that may be large. Node streams it. A page sends it as a Blob by XMLHttpRequest: the only way for a page
 * to see how far an upload has got, since fetch streams request bodies over HTTP/2 alone and nowhere but in Chromium.
 */
export function sendUpload<Answer>(transport: Transport, upload: Upload): Promise<Answer> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: XhrConstructor }
  if (XMLHttpRequest !== undefined) {
    return transport.isPlatformFetch
      ? sendByXhr(new XMLHttpRequest(), transport, upload)
      : sendBlob(transport, upload)
  }
  return sendStream(transport, upload)
}

async function sendStream<Answer>(
  transport: Transport,
  { request, body, onProgress }: Upload,
): Promise<Answer> {
  const totalBytes = body.sizeBytes
  let doneBytes = 0
  let failure: unknown
  const reader = body.read()[Symbol.asyncIterator]()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.next()
          if (next.done === true) return controller.close()
          doneBytes += next.value.length
          controller.enqueue(next.value)
          onProgress?.({ doneBytes, totalBytes })
        } catch (error) {
          failure = error
          controller.error(error)
        }
      },
      cancel: async () => void (await reader.return?.()),
    },
    { highWaterMark: 0 },
  )
  const headers = { ...uploadHeaders(body, request), 'content-length': String(totalBytes) }
  try {
    const streamed = { ...request, headers, body: stream, streams: true }
    return (await sendForJson<Answer>({ ...transport, timeoutMs: NO_LIMIT_MS }, streamed)).answer
  } catch (error) {
    // A file that cannot be read is no fault of the network, and no reason to try again.
    throw failure ?? error
  }
}

async function sendBlob<Answer>(
  transport: Transport,
  { request, body, onProgress }: Upload,
): Promise<Answer> {
  const blob = await body.blob()
  const headers = uploadHeaders(body, request)
  const { answer } = await sendForJson<Answer>(
    { ...transport, timeoutMs: NO_LIMIT_MS },
    { ...request, headers, body: blob },
  )
  onProgress?.({ doneBytes: blob.size, totalBytes: blob.size })
  return answer
}

const uploadHeaders = (body: MultipartBody, { headers }: Upload['request']): Record<string, string> => ({
  ...headers,
  'content-type': body.contentType,
})

interface Listened {
  addEventListener(type: string, listener: (event: { readonly loaded: number }) => void): void
}
interface Xhr extends Listened {
  readonly status: number
  readonly responseText: string
  readonly upload: Listened
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Blob): void
  abort(): void
}
type XhrConstructor = new () => Xhr

async function sendByXhr<Answer>(
  xhr: Xhr,
  transport: Transport,
  { request, body, onProgress }: Upload,
): Promise<Answer> {
  const { method, path, signal } = request
  const url = transport.baseUrl + path
  const blob = await body.blob()
  signal?.throwIfAborted()
  const stop = (): void => xhr.abort()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Answer>((resolve, reject) => {
      xhr.open(method, url)
      const headers = headersOf(transport, { method, path, headers: uploadHeaders(body, request) })
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
      xhr.upload.addEventListener('progress', ({ loaded }) =>
        onProgress?.({ doneBytes: loaded, totalBytes: blob.size }),
      )
      xhr.addEventListener('error', () => reject(new NetworkError(method, url, 'the connection failed')))
      xhr.addEventListener('abort', () => reject(signal?.reason as Error))
      xhr.addEventListener('load', () => {
        try {
          resolve(answerOf<Answer>(xhr, transport))
        } catch (error) {
          reject(error as Error)
        }
      })
      xhr.send(blob)
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

function answerOf<Answer>(xhr: Xhr, { surroundings }: Transport): Answer {
  const headers = { get: (name: string) => xhr.getResponseHeader(name) }
  const error = apiError(xhr.status, xhr.responseText, headers, surroundings.now())
  if (xhr.status < 200 || xhr.status > 299) throw error
  try {
    return JSON.parse(xhr.responseText) as Answer
  } catch {
    throw error
  }
}
