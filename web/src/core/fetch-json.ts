import { NetworkError, ApiError } from '@kitseal/client'
import { toApiError } from '@kitseal/client/internal'
import { hex } from '@kitseal/kit/internal'
import { language } from './language.ts'
import { known, t } from './texts.ts'

/** Sent by the pages of the console. Other sites cannot send it, because it requires a CORS preflight. */
export const OWN_REQUEST = { 'x-console-request': '1' } as const

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

/**
 * Browsers log every error status as an error of the page, also one that the page expects and explains. Such errors come with
 * status 200 and their own in a header.
 */
async function fetchQuietly(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-errors', 'quiet')
  const response = await fetch(url, { ...init, headers })
  const status = Number(response.headers.get('x-error-status') ?? 200)
  return status === 200 ? response : new Response(response.body, { status, headers: response.headers })
}

export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetchHere(path, init)
  if (response.status === 204) return undefined as T
  return response.json().catch(() => {
    throw toApiError(path, response.status, '', response.headers, Date.now())
  })
}

/** Sends JSON to this service. */
export const sendJson = <T>(method: string, path: string, body: object, init: RequestInit = {}) =>
  fetchJson<T>(path, {
    ...init,
    method,
    headers: { 'content-type': 'application/json', ...init.headers },
    body: JSON.stringify(body),
  })

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

/** Why something failed: in the language of the page, or as the service says it if the page has no text for the code or its values. */
export function messageOf(error: unknown): string {
  if (error instanceof NetworkError) return t('problem.offline')
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  // A proxy answered.
  if (error.code === 'answer_not_understood') return t('problem.unexpected')
  return (language === 'en' ? undefined : known(`error.${error.code}`, error.args)) ?? error.message
}

/** Not found, or not for the one who asks. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
