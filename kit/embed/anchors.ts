import { fromBase64url } from '../src/encoding/base64url.ts'
import { parseStrictJson } from '../src/encoding/strict-json.ts'
import { type KeySet, parseJwks } from '../src/jwks.ts'
import type { Parsed } from '../src/parsing.ts'

/** A key set that the user gave, or that the site which serves this page put into it. */
export type GivenKeySet = UsableKeySet | UnusableKeySet

export interface UsableKeySet {
  readonly name: string
  readonly set: KeySet
  /** As it was read, to tell a copy out of the kit; undefined where it came with the page. */
  readonly bytes?: Uint8Array
}

/** Was meant as an anchor: it stays, and nothing is verified until it is removed. */
export interface UnusableKeySet {
  readonly name: string
  readonly unusable: string
}

export const isUsable = (given: GivenKeySet): given is UsableKeySet => 'set' in given

const MAX_BYTES = 4 * 1024 * 1024

export async function readKeySet(file: File): Promise<GivenKeySet> {
  const { name } = file
  if (file.size > MAX_BYTES) return { name, unusable: 'is too large for a key set' }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const given = parseKeySet(name, bytes)
    return isUsable(given) ? { ...given, bytes } : given
  } catch (error) {
    return { name, unusable: `cannot be read: ${String(error)}` }
  }
}

/** Key IDs as they were pasted: one, or several between spaces, commas or line breaks. */
export function readKeyIds(text: string): Parsed<readonly string[]> {
  const kids = text.split(/[\s,;]+/).filter((kid) => kid !== '')
  const wrong = kids.find((kid) => fromBase64url(kid)?.length !== 32)
  if (wrong === undefined) return { ok: true, value: kids }
  return refused(
    `“${wrong.slice(0, 60)}” is not a key ID: one has 43 characters, letters, digits, “-” and “_”.`,
  )
}

/** Filled in by a site that serves this page with its own keys: <meta name="kitseal-anchor" content="JSON">. */
export function presetKeySets(page: Document): readonly GivenKeySet[] {
  const metas = page.querySelectorAll<HTMLMetaElement>('meta[name="kitseal-anchor"]')
  return [...metas].map((meta) => parseKeySet(meta.dataset['from'] ?? 'this site', meta.content))
}

function parseKeySet(name: string, json: Uint8Array | string): GivenKeySet {
  try {
    const parsed = parseJwks(parseStrictJson(json))
    if (parsed.ok) return { name, set: parsed.value }
    return { name, unusable: `is not a key set: ${parsed.problems.join('; ')}` }
  } catch (error) {
    return {
      name,
      unusable: `is not a key set: ${error instanceof Error ? error.message : 'it is not JSON'}`,
    }
  }
}

const refused = (problem: string): { readonly ok: false; readonly problems: readonly string[] } => ({
  ok: false,
  problems: [problem],
})
