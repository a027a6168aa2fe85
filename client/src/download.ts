import type { Operations } from './api-types.generated.ts'
import { endpoint, type Params } from './call.ts'
import { NetworkError } from './errors.ts'
import { readStream } from './multipart.ts'
import { withRetries } from './retry.ts'
import { blobSink, type ByteSink } from './sinks.ts'
import { type ApiRequest, send, toNetworkError, type Transport } from './transport.ts'

export interface Progress {
  readonly doneBytes: number
  /** Undefined if the service does not send the length. */
  readonly totalBytes: number | undefined
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface SaveOptions<Saved> extends DownloadOptions {
  /** Where to save it. Default: a Blob. */
  readonly into?: ByteSink<Saved>
}

export type Save = ReturnType<typeof saver>

/** Downloads into a sink, which keeps nothing if it fails. */
export const saver =
  (transport: Transport) =>
  async <Name extends keyof Operations, Saved = Blob>(
    name: Name,
    params: Params<Name>,
    options: SaveOptions<Saved>,
  ): Promise<Saved> => {
    const sink = options.into ?? (blobSink() as unknown as ByteSink<Saved>)
    try {
      await download(transport, endpoint(name, params), sink, options)
      return await sink.commit()
    } catch (error) {
      await sink.discard()
      throw error
    }
  }

/** Streams a response body into a sink. Resumes after a lost connection, or restarts if the content has changed. */
export async function download(
  transport: Transport,
  request: Pick<ApiRequest, 'method' | 'path'>,
  sink: ByteSink<unknown>,
  { signal, onProgress }: DownloadOptions,
): Promise<void> {
  let doneBytes = 0
  let etag: string | null = null
  const url = transport.baseUrl + request.path
  await withRetries(transport.retry, transport.platform, signal, async (resetAttempts) => {
    const range: Record<string, string> =
      doneBytes > 0 && etag !== null ? { range: `bytes=${doneBytes}-`, 'if-range': etag } : {}
    const response = await send(transport, { ...request, headers: { accept: '*/*', ...range }, signal })
    if (doneBytes > 0 && !isContinuation(response, doneBytes)) {
      doneBytes = 0
      await sink.reset()
    }
    etag = strongEtag(response)
    const totalBytes = totalSize(response, doneBytes)
    onProgress?.({ doneBytes, totalBytes })
    for await (const bytes of readBody(response, request.method, url, signal)) {
      await sink.write(bytes)
      doneBytes += bytes.length
      resetAttempts()
      onProgress?.({ doneBytes, totalBytes })
    }
    if (totalBytes !== undefined && doneBytes !== totalBytes)
      throw new NetworkError(request.method, url, `connection lost after ${doneBytes} bytes`)
  })
}

function isContinuation(response: Response, doneBytes: number): boolean {
  return (
    response.status === 206 &&
    response.headers.get('content-range')?.startsWith(`bytes ${doneBytes}-`) === true
  )
}

function strongEtag(response: Response): string | null {
  const etag = response.headers.get('etag')
  return etag?.startsWith('"') === true ? etag : null
}

function totalSize(response: Response, doneBytes: number): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (total !== undefined) return Number(total)
  // Content-Length counts compressed bytes.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  return length === null ? undefined : doneBytes + Number(length)
}

/** Read errors become NetworkErrors. Errors of the sink do not, so they are not retried. */
async function* readBody(
  response: Response,
  method: string,
  url: string,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  if (response.body === null) return
  const reader = readStream(response.body)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await reader.next().catch((error: unknown) => {
        throw toNetworkError(error, method, url, signal)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await reader.return?.()
  }
}
