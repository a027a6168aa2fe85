import { NetworkError } from './errors.ts'
import { readStream } from './multipart.ts'
import { withRetries } from './retry.ts'
import type { ByteSink } from './sinks.ts'
import { type ApiRequest, asNetworkError, send, type Transport } from './transport.ts'

export interface Progress {
  readonly doneBytes: number
  /** Undefined where the service does not say. */
  readonly totalBytes: number | undefined
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Streams a body into a sink. After a cut connection it asks for the rest; where that is no longer the same, for all. */
export async function download(
  transport: Transport,
  request: Pick<ApiRequest, 'method' | 'path'>,
  sink: ByteSink<unknown>,
  { signal, onProgress }: DownloadOptions,
): Promise<void> {
  let doneBytes = 0
  let etag: string | null = null
  const url = transport.baseUrl + request.path
  await withRetries(transport.retry, transport.surroundings, signal, async (gotFurther) => {
    const range: Record<string, string> =
      doneBytes > 0 && etag !== null ? { range: `bytes=${doneBytes}-`, 'if-range': etag } : {}
    const response = await send(transport, { ...request, headers: { accept: '*/*', ...range }, signal })
    if (doneBytes > 0 && !continues(response, doneBytes)) {
      doneBytes = 0
      await sink.clear()
    }
    etag = strongEtag(response)
    const totalBytes = totalOf(response, doneBytes)
    onProgress?.({ doneBytes, totalBytes })
    for await (const bytes of readBody(response, request.method, url, signal)) {
      await sink.write(bytes)
      doneBytes += bytes.length
      gotFurther()
      onProgress?.({ doneBytes, totalBytes })
    }
    if (totalBytes !== undefined && doneBytes !== totalBytes)
      throw new NetworkError(request.method, url, `the connection was cut after ${doneBytes} bytes`)
  })
}

function continues(response: Response, doneBytes: number): boolean {
  return (
    response.status === 206 &&
    response.headers.get('content-range')?.startsWith(`bytes ${doneBytes}-`) === true
  )
}

function strongEtag(response: Response): string | null {
  const etag = response.headers.get('etag')
  return etag?.startsWith('"') === true ? etag : null
}

function totalOf(response: Response, doneBytes: number): number | undefined {
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (whole !== undefined) return Number(whole)
  // Of a compressed body the length counts what nobody sees.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  return length === null ? undefined : doneBytes + Number(length)
}

/** What fails in reading is the network's fault; what fails in writing is not, and passes through. */
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
        throw asNetworkError(error, method, url, signal)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await reader.return?.()
  }
}
