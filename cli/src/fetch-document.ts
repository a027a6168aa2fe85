import { describeError, InputError } from './input-error.ts'

const FETCH_TIMEOUT_MS = 20_000

/** Downloads a small document. Undefined for 404. */
export async function fetchDocument(
  url: string,
  { what, limitMiB }: { readonly what: string; readonly limitMiB: number },
): Promise<Uint8Array | undefined> {
  try {
    return await fetchBody(url, {
      limitBytes: limitMiB * 1024 * 1024,
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      tooLarge: () => new Error(`it is larger than ${limitMiB} MiB, too large for ${what}`),
    })
  } catch (error) {
    throw cannotFetch(url, describeError(error))
  }
}

export function cannotFetch(url: string, why: string): InputError {
  return new InputError(`cannot fetch ${url}: ${why}. Check the URL, or download the file and pass its path.`)
}

export interface FetchOptions {
  readonly limitBytes: number
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The error for a larger body. */
  readonly tooLarge: () => Error
  /** The error for a status other than 200 and 404. */
  readonly refused?: (response: Response) => Error
}

/** Downloads at most `limitBytes`, without following redirects. Undefined for 404. */
export async function fetchBody(
  url: string,
  { limitBytes, headers = {}, tooLarge, refused, ...options }: FetchOptions,
): Promise<Uint8Array | undefined> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, options.signal])
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers })
    if (response.status === 404) return undefined
    if (!response.ok) throw refused?.(response) ?? new Error(`status ${response.status}`)
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > limitBytes) throw tooLarge()
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
export function isSecure(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !isUnencrypted(text)
}
