import { NetworkError } from '@kitseal/client'
import { fetchQuietly, toApiError } from '@kitseal/client/console'
import { hex } from '@kitseal/kit/internal'

/** Asks this service without the client, and fails like it. */
export async function fetchHere(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchQuietly(path, { credentials: 'same-origin', ...init }).catch(
    (error: unknown) => {
      throw new NetworkError(init.method ?? 'GET', path, String(error))
    },
  )
  if (response.ok) return response
  const body = await response.text().catch(() => '')
  throw toApiError(path, response.status, body, response.headers, Date.now())
}

export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetchHere(path, init)
  if (response.status === 204) return undefined as T
  return response.json().catch(() => {
    throw toApiError(path, response.status, '', response.headers, Date.now())
  })
}

/** Reads a file of this service and reports the bytes read so far. */
export async function readAll(
  path: string,
  signal: AbortSignal,
  onProgress?: (readBytes: number) => void,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const chunk of chunksOf(await fetchHere(path, { signal }))) {
    chunks.push(chunk)
    length += chunk.length
    onProgress?.(length)
  }
  return new Blob(chunks)
}

/** Not every browser can iterate a stream. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** A value for `Idempotency-Key`. */
export const randomKey = (): string => hex(crypto.getRandomValues(new Uint8Array(16)))
