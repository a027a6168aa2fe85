import { fetchBody } from './fetch-body.ts'
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
