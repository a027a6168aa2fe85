import {
  parseJson,
  parseJwks,
  parseStrictJson,
  type TrustedKeySet,
  fromBase64url,
  type KeySet,
  pointProblem,
  type PublicJwk,
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type JsonValue,
  type KitFiles,
  type Parsed,
  utf8,
} from '@kitseal/kit/internal'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { cannotFetch, fetchDocument } from './fetch-document.ts'
import { readOrFail, InputError } from './input-error.ts'

const KEY_SET = { what: 'a key set', limitMiB: 4 }

/** Reads a key set from a file or URL. A URL is the only reason for an offline command to use the network. */
export async function readKeySet(location: string): Promise<TrustedKeySet> {
  const bytes = isUrl(location)
    ? await fetchBytes(location)
    : await readOrFail(location, () => readSmallFile(location, KEY_SET))
  const parsed = parseJson(bytes, parseJwks)
  if (!parsed.ok) throw new InputError(`${location} is not a key set: ${parsed.problems.join('; ')}`)
  const source = isUrl(location)
    ? ({ source: 'url', address: location } as const)
    : { source: 'file' as const }
  return { ...parsed.value, ...source, bytes }
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location)
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const bytes = await fetchDocument(url, KEY_SET)
  if (bytes === undefined) throw cannotFetch(url, 'status 404')
  return bytes
}

/** The keys of a set that may be pinned: all but the revoked ones. Throws if any key is rejected or not secure. */
export function usableKeys(set: KeySet, source: string): readonly PublicJwk[] {
  const [refused] = set.refused
  if (refused !== undefined) throw new InputError(`${source}: a key ${refused.why.text}`)
  for (const { kid, x } of set.keys) {
    const problem = pointProblem(fromBase64url(x) ?? new Uint8Array(32))
    if (problem !== undefined)
      throw new InputError(`${source}: the key ${kid} is a ${problem} point and not secure`)
  }
  if (set.keys.length + set.revoked.length === 0) throw new InputError(`${source} contains no Ed25519 key`)
  const revoked = new Set(set.revoked.map(({ kid }) => kid))
  return set.keys.filter(({ kid }) => !revoked.has(kid))
}

/** What was made of JSON, as JSON again. */
export const asJson = (value: object): JsonValue => parseStrictJson(utf8(JSON.stringify(value)))

/** Reads a document of a kit. Throws InputError. */
export async function readDocument<T>(
  kit: KitFiles,
  name: keyof typeof ENVELOPE,
  parse: (value: JsonValue) => Parsed<T>,
): Promise<T> {
  return await readOrFail(`${ENVELOPE[name]} of the kit`, async () => {
    const parsed = parse(parseStrictJson(await kit.read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name])))
    if (parsed.ok) return parsed.value
    throw new Error(parsed.problems.join('; '))
  })
}
