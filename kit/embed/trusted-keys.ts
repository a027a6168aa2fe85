import { fromBase64url } from '../src/encoding/base64url.ts'
import { parseStrictJson } from '../src/encoding/strict-json.ts'
import { type KeySet, parseJwks } from '../src/jwks.ts'
import type { Parsed } from '../src/parsing.ts'

/** A key set provided by the user, or by the site that serves this page. */
export type ProvidedKeySet = UsableKeySet | UnusableKeySet

export interface UsableKeySet {
  readonly name: string
  readonly set: KeySet
  /** The bytes of the file, to recognize a copy taken from the kit; undefined for a preset. */
  readonly bytes?: Uint8Array
}

/** Blocks verification until the user removes it. */
export interface UnusableKeySet {
  readonly name: string
  readonly problem: string
}

export const isUsable = (provided: ProvidedKeySet): provided is UsableKeySet => 'set' in provided

const MAX_BYTES = 4 * 1024 * 1024

export async function readKeySet(file: File): Promise<ProvidedKeySet> {
  const { name } = file
  if (file.size > MAX_BYTES) return { name, problem: 'is too large for a key set' }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const provided = parseKeySet(name, bytes)
    return isUsable(provided) ? { ...provided, bytes } : provided
  } catch (error) {
    return { name, problem: `cannot be read: ${String(error)}` }
  }
}

/** Parses pasted key IDs, separated by spaces, commas or line breaks. */
export function readKeyIds(text: string): Parsed<readonly string[]> {
  const kids = text.split(/[\s,;]+/).filter((kid) => kid !== '')
  const wrong = kids.find((kid) => fromBase64url(kid)?.length !== 32)
  if (wrong === undefined) return { ok: true, value: kids }
  const problem = `“${wrong.slice(0, 60)}” is not a key ID. A key ID is 43 letters, digits, “-” or “_”.`
  return { ok: false, problems: [problem] }
}

/** Key sets that the serving site added as `<meta name="kitseal-anchor" content="JSON">`. */
export function presetKeySets(page: Document): readonly ProvidedKeySet[] {
  const metas = page.querySelectorAll<HTMLMetaElement>('meta[name="kitseal-anchor"]')
  return [...metas].map((meta) => parseKeySet(meta.dataset['from'] ?? 'this site', meta.content))
}

function parseKeySet(name: string, json: Uint8Array | string): ProvidedKeySet {
  try {
    const parsed = parseJwks(parseStrictJson(json))
    if (parsed.ok) return { name, set: parsed.value }
    return { name, problem: `is not a key set: ${parsed.problems.join('; ')}` }
  } catch (error) {
    return { name, problem: `is not a key set: ${error instanceof Error ? error.message : 'invalid JSON'}` }
  }
}
