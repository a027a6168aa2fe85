import { NetworkError } from './errors.ts'
import type { MultipartBody } from './multipart.ts'
import {
  type ApiRequest,
  toApiError,
  requestHeaders,
  NO_TIMEOUT_MS,
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
 * Uploads a body once. Node streams it. Browsers use XMLHttpRequest, the only API there that reports upload progress:
 * streaming with fetch needs HTTP/2 and Chromium.
 */
export function sendUpload<Data>(transport: Transport, upload: Upload): Promise<Data> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: XhrConstructor }
  if (XMLHttpRequest !== undefined) {
    return transport.isGlobalFetch
      ? sendWithXhr(new XMLHttpRequest(), transport, upload)
      : sendBlob(transport, upload)
  }
  return sendStream(transport, upload)
}

async function sendStream<Data>(transport: Transport, { request, body, onProgress }: Upload): Promise<Data> {
  const totalBytes = body.sizeBytes
  const { stream, failure } = streamBody(body.read(), totalBytes, (doneBytes) =>
    onProgress?.({ doneBytes, totalBytes }),
  )
  const headers = { ...uploadHeaders(body, request), 'content-length': String(totalBytes) }
  try {
    const untimed = { ...transport, timeoutMs: NO_TIMEOUT_MS }
    return (await sendForJson<Data>(untimed, { ...request, headers, body: stream })).data
  } catch (error) {
    // An unreadable file is not a network error, so it is not retried.
    throw failure() ?? error
  }
}

/** The first `length` bytes as the body of a request, and why they could not be read. */
export function streamBody(
  content: AsyncIterable<Uint8Array>,
  length: number,
  onProgress: (sentBytes: number) => void,
): { readonly stream: ReadableStream<Uint8Array>; readonly failure: () => unknown } {
  let sentBytes = 0
  let failure: unknown
  const reader = content[Symbol.asyncIterator]()
  const stream = new ReadableStream<Uint8Array>(
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
  return { stream, failure: () => failure }
}

async function sendBlob<Data>(transport: Transport, { request, body, onProgress }: Upload): Promise<Data> {
  const blob = await body.blob()
  const headers = uploadHeaders(body, request)
  const { data } = await sendForJson<Data>(
    { ...transport, timeoutMs: NO_TIMEOUT_MS },
    { ...request, headers, body: blob },
  )
  onProgress?.({ doneBytes: blob.size, totalBytes: blob.size })
  return data
}

const uploadHeaders = (body: MultipartBody, { headers }: Upload['request']): Record<string, string> => ({
  ...headers,
  'content-type': body.contentType,
})

interface EventSource {
  addEventListener(type: string, listener: (event: { readonly loaded: number }) => void): void
}
interface Xhr extends EventSource {
  readonly status: number
  readonly responseText: string
  readonly upload: EventSource
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Blob): void
  abort(): void
}
type XhrConstructor = new () => Xhr

async function sendWithXhr<Data>(
  xhr: Xhr,
  transport: Transport,
  { request, body, onProgress }: Upload,
): Promise<Data> {
  const { method, path, signal } = request
  const url = transport.baseUrl + path
  const blob = await body.blob()
  signal?.throwIfAborted()
  const stop = (): void => xhr.abort()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Data>((resolve, reject) => {
      xhr.open(method, url)
      const headers = requestHeaders(transport, { method, path, headers: uploadHeaders(body, request) })
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
      xhr.upload.addEventListener('progress', ({ loaded }) =>
        onProgress?.({ doneBytes: loaded, totalBytes: blob.size }),
      )
      xhr.addEventListener('error', () => reject(new NetworkError(method, url, 'connection failed')))
      xhr.addEventListener('abort', () => reject(signal?.reason as Error))
      xhr.addEventListener('load', () => {
        try {
          resolve(responseData<Data>(xhr, url, transport))
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

function responseData<Data>(xhr: Xhr, url: string, { platform }: Transport): Data {
  const headers = { get: (name: string) => xhr.getResponseHeader(name) }
  const error = toApiError(url, xhr.status, xhr.responseText, headers, platform.now())
  if (xhr.status < 200 || xhr.status > 299) throw error
  try {
    return JSON.parse(xhr.responseText) as Data
  } catch {
    throw error
  }
}
