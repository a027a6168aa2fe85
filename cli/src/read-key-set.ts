import { parseJwks, parseStrictJson, type TrustedKeySet } from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { cannotFetch, fetchDocument } from './fetch-document.ts'
import { readOrFail, InputError } from './input-error.ts'

const KEY_SET = { what: 'a key set', limitMiB: 4 }

/** Reads a key set from a file or URL. A URL is the only reason for an offline command to use the network. */
export async function readKeySet(location: string): Promise<TrustedKeySet> {
  const bytes = isUrl(location)
    ? await fetchBytes(location)
    : await readOrFail(location, () => readSmallFile(location, KEY_SET))
  const parsed = parseJson(location, bytes)
  if (!parsed.ok) throw new InputError(`${location} is not a key set: ${parsed.problems.join('; ')}`)
  const source = isUrl(location)
    ? ({ source: 'url', address: location } as const)
    : { source: 'file' as const }
  return { ...parsed.value, ...source, bytes }
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
  const bytes = await fetchDocument(url, KEY_SET)
  if (bytes === undefined) throw cannotFetch(url, 'status 404')
  return bytes
}
