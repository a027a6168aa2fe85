import { fromBase64url } from '../src/encoding/base64url.ts'
import { parseStrictJson } from '../src/encoding/strict-json.ts'
import { type KeySet, parseJwks } from '../src/jwks.ts'
import type { Parsed } from '../src/parsing.ts'

/** A key set that the user gave, or that the site which serves this page put into it. */
export interface GivenKeySet {
  readonly name: string
  readonly set: KeySet
  /** As it was read, to tell a copy out of the kit; undefined where it came with the page. */
  readonly bytes?: Uint8Array
}

const MAX_BYTES = 4 * 1024 * 1024

export async function readKeySet(file: File): Promise<Parsed<GivenKeySet>> {
  if (file.size > MAX_BYTES) return refused(`${file.name} is too large for a key set.`)
  const bytes = new Uint8Array(await file.arrayBuffer().catch(() => new ArrayBuffer(0)))
  const parsed = parseKeySet(bytes)
  if (!parsed.ok) return refused(`${file.name} is not a key set: ${parsed.problems.join('; ')}.`)
  if (parsed.value.keys.length + parsed.value.refused.length === 0)
    return refused(`${file.name} holds no Ed25519 key.`)
  return { ok: true, value: { name: file.name, set: parsed.value, bytes } }
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
  return [...metas].flatMap((meta) => {
    const parsed = parseKeySet(meta.content)
    return parsed.ok ? [{ name: meta.dataset['from'] ?? 'this site', set: parsed.value }] : []
  })
}

function parseKeySet(json: Uint8Array | string): Parsed<KeySet> {
  try {
    return parseJwks(parseStrictJson(json))
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'it is not JSON')
  }
}

const refused = (problem: string): { readonly ok: false; readonly problems: readonly string[] } => ({
  ok: false,
  problems: [problem],
})
