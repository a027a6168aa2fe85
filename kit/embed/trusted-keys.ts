import { fromBase64url } from '../src/encoding/bytes.ts'
import { type KeySet, parseJwks } from '../src/jwks.ts'
import { type Parsed, parseJson } from '../src/parsing.ts'
import { sameOrigin } from '../src/same-origin.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { t } from './words.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** A key set file that the reader chose. */
export interface KeySetFile {
  readonly set: KeySet
  readonly bytes: Uint8Array
}

/** The problem is about the file: “is not a key set: …”. */
export async function readKeySet(file: File): Promise<Parsed<KeySetFile>> {
  if (file.size > MAX_BYTES) return { ok: false, problems: ['is too large for a key set'] }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const set = parseKeySet(bytes)
    return set.ok ? { ok: true, value: { set: set.value, bytes } } : set
  } catch (error) {
    return { ok: false, problems: [`cannot be read: ${String(error)}`] }
  }
}

/** Parses pasted key IDs, separated by spaces, commas or line breaks. */
export function readKeyIds(text: string): Parsed<readonly string[]> {
  const kids = text.split(/[\s,;]+/).filter((kid) => kid !== '')
  const wrong = kids.find((kid) => fromBase64url(kid)?.length !== 32)
  if (wrong === undefined) return { ok: true, value: kids }
  const problem = t('view.keyForm.notKeyId', { text: wrong.slice(0, 60) })
  return { ok: false, problems: [problem] }
}

/** The keys of the site that serves this page: `<meta name="kitseal-anchor" data-from="ISSUER" content="JSON">`. */
export function presetKeySet(page: Document): SiteKeySet | undefined {
  const meta = page.querySelector<HTMLMetaElement>('meta[name="kitseal-anchor"]')
  const issuer = meta?.dataset['from']
  const set = meta === null ? undefined : parseKeySet(meta.content)
  const { origin } = page.location
  // A page that was saved, or that another site serves, is nobody's.
  if (issuer === undefined || set?.ok !== true || !sameOrigin(issuer, origin)) return undefined
  return siteKeySet(set.value, issuer, origin)
}

/** What a site publishes as the keys of `issuer`. They count only for an issuer at the site's own origin. */
export type SiteKeySet = TrustedKeySet & { readonly issuer: string; readonly address: string }

export function siteKeySet(set: KeySet, issuer: string, origin: string): SiteKeySet {
  const own = sameOrigin(issuer, origin) ? issuer : origin
  return { ...set, source: 'site', address: origin, issuer: own }
}

function parseKeySet(json: Uint8Array | string): Parsed<KeySet> {
  const parsed = parseJson(json, parseJwks)
  return parsed.ok ? parsed : { ok: false, problems: [`is not a key set: ${parsed.problems.join('; ')}`] }
}
