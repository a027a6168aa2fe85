import { ApiError, NetworkError } from '@kitseal/client'
import { fetchQuietly } from '@kitseal/client/console'
import { t } from './texts.ts'

/** Asks this service without the client, and fails like it. */
export async function fetchHere(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchQuietly(path, { credentials: 'same-origin', ...init }).catch(
    (error: unknown) => {
      throw new NetworkError(init.method ?? 'GET', path, String(error))
    },
  )
  if (response.ok) return response
  throw refusalOf(response.status, await response.json().catch(() => undefined))
}

export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetchHere(path, init)
  if (response.status === 204) return undefined as T
  return response.json().catch(() => {
    throw refusalOf(response.status, undefined)
  })
}

/** Error responses of the service have `code` and `message`; those of a proxy do not. */
export function refusalOf(status: number, body: unknown): ApiError {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return new ApiError(typeof message === 'string' ? message : t('problem.unexpected'), {
    status,
    code: typeof code === 'string' ? code : 'unexpected',
    requestId: '',
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
