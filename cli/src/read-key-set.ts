import { parseJwks, parseStrictJson, type TrustedKeySet } from '@kitseal/kit'
import { readSmallFile } from '@kitseal/kit/node'
import { readOrFail, describeError, InputError } from './input-error.ts'
import { readBody } from './read-body.ts'

const FETCH_TIMEOUT_MS = 20_000
const KEY_SET = { what: 'a key set', limitMiB: 4 }
const LIMIT_BYTES = KEY_SET.limitMiB * 1024 * 1024

/** Reads a key set from a file or URL. A URL is the only reason for an offline command to use the network. */
export async function readKeySet(location: string): Promise<TrustedKeySet> {
  const bytes = isUrl(location)
    ? await fetchBytes(location)
    : await readOrFail(location, () => readSmallFile(location, KEY_SET))
  const parsed = parseJson(location, bytes)
  if (!parsed.ok) throw new InputError(`${location} is not a key set: ${parsed.problems.join('; ')}`)
  return { ...parsed.value, source: isUrl(location) ? 'url' : 'file', bytes }
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location)
}

function parseJson(location: string, bytes: Uint8Array): ReturnType<typeof parseJwks> {
  try {
    return parseJwks(parseStrictJson(bytes))
  } catch (error) {
    throw new InputError(
      `${location} is not a key set: ${error instanceof Error ? error.message : 'not JSON'}`,
    )
  }
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  try {
    const response = await fetch(url, { signal, redirect: 'error' })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const tooLarge = () => new Error(`it is larger than ${KEY_SET.limitMiB} MiB, too large for a key set`)
    return await readBody(response, LIMIT_BYTES, tooLarge)
  } catch (error) {
    throw new InputError(
      `cannot fetch ${url}: ${describeError(error)}. Check the URL, or download the file and pass its path.`,
    )
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}
