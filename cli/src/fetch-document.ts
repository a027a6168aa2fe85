import { describeError, InputError } from './input-error.ts'
import { readBody } from './read-body.ts'

const FETCH_TIMEOUT_MS = 20_000

/** Downloads a small document. Undefined for 404. */
export async function fetchDocument(
  url: string,
  { what, limitMiB }: { readonly what: string; readonly limitMiB: number },
): Promise<Uint8Array | undefined> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  try {
    const response = await fetch(url, { signal, redirect: 'error' })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`status ${response.status}`)
    const tooLarge = () => new Error(`it is larger than ${limitMiB} MiB, too large for ${what}`)
    return await readBody(response, limitMiB * 1024 * 1024, tooLarge)
  } catch (error) {
    throw cannotFetch(url, describeError(error))
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}

export function cannotFetch(url: string, why: string): InputError {
  return new InputError(`cannot fetch ${url}: ${why}. Check the URL, or download the file and pass its path.`)
}
