import { describeError, InputError } from './input-error.ts'

const FETCH_TIMEOUT_MS = 20_000

/** Downloads a small document. Undefined for 404. */
export async function fetchDocument(
  url: string,
  { what, limitMiB }: { readonly what: string; readonly limitMiB: number },
): Promise<Uint8Array | undefined> {
  try {
    return await fetchBody(url, limitMiB * 1024 * 1024)
  } catch (error) {
    const isTooLarge = error instanceof TooLarge
    const problem = `it is larger than ${limitMiB} MiB, too large for ${what}`
    throw cannotFetch(url, isTooLarge ? problem : describeError(error))
  }
}

export function cannotFetch(url: string, why: string): InputError {
  return new InputError(`cannot fetch ${url}: ${why}. Check the URL, or download the file and pass its path.`)
}

export class TooLarge extends Error {
  override readonly message = 'the response is too large'
}

/** The response has a status other than 200 and 404. */
export class RefusedFetch extends Error {
  /** How long to wait with the next attempt, if the server says so. */
  readonly waitMs: number | undefined

  constructor({ status, headers }: Response) {
    super(`status ${status}`)
    const seconds = /^\d{1,9}$/.exec(headers.get('retry-after') ?? '')?.[0]
    this.waitMs = seconds === undefined ? undefined : Number(seconds) * 1000
  }
}

/** Downloads at most `limitBytes`, without following redirects. Undefined for 404. */
export async function fetchBody(
  url: string,
  limitBytes: number,
  headers: Readonly<Record<string, string>> = {},
  interrupt?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const request = new AbortController()
  const ends = [request.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS), interrupt ?? request.signal]
  try {
    const response = await fetch(url, { signal: AbortSignal.any(ends), redirect: 'error', headers })
    if (response.status === 404) return undefined
    if (!response.ok) throw new RefusedFetch(response)
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > limitBytes) throw new TooLarge()
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}

/** The URL of an issuer without a trailing slash, or undefined if keys cannot be fetched from it securely. */
export function issuerUrl(text: string): string | undefined {
  if (!isSecure(text)) return undefined
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === '' ? text.replace(/\/+$/, '') : undefined
}

/** Whether requests to this URL can be read on the network. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** An https URL, or an http URL on this machine. */
function isSecure(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !isUnencrypted(text)
}
