import { readFileSync } from 'node:fs'
import type { Jwks, PublishedJwks } from '../src/jwks.ts'

/** A key set that the page trusts, and the name it shows for it. */
export interface PresetAnchor {
  readonly from: string
  readonly jwks: Jwks | PublishedJwks
}

/**
 * START-HERE.html: the page in each kit that explains and verifies it. It names the issuer, but trusts no keys.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { startPage } from '@kitseal/kit/node'
 *
 * const page = new TextDecoder().decode(startPage('https://issuer.example'))
 * assert.ok(page.includes('https://issuer.example'))
 * ```
 */
export function startPage(issuer: string): Uint8Array {
  const html = pageFile().toString()
  const named = html.replace(HIDDEN, '<span id="named"').replace(UNNAMED, () => `<b>${escaped(issuer)}</b>`)
  if (named.includes(HIDDEN) || named.includes(UNNAMED)) throw new Error('the page names the issuer twice')
  return Buffer.from(named)
}

/** The sentence that names the issuer, in page.html. */
const HIDDEN = '<span id="named" hidden'
const UNNAMED = '<b>ISSUER</b>'

/**
 * The same page without the name of an issuer. With presets, it trusts those keys.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readKeySet, verifierPage } from '@kitseal/kit/node'
 *
 * const presets = [{ from: 'issuer.example', jwks: readKeySet('issuer.jwks.json') }]
 * assert.ok(verifierPage(presets).length > verifierPage().length)
 * ```
 */
export function verifierPage(presets: readonly PresetAnchor[] = []): Uint8Array {
  const page = pageFile()
  if (presets.length === 0) return page
  const html = page.toString()
  const at = html.indexOf('<title>')
  return Buffer.from(html.slice(0, at) + presets.map(anchorTag).join('') + html.slice(at))
}

/** The page, set in one-file builds. */
declare const KITSEAL_VERIFIER_PAGE: string | undefined

function pageFile(): Buffer {
  if (typeof KITSEAL_VERIFIER_PAGE === 'string') return Buffer.from(KITSEAL_VERIFIER_PAGE)
  return readFileSync(new URL('../embed/verifier.html', import.meta.url))
}

function anchorTag({ from, jwks }: PresetAnchor): string {
  const content = escaped(JSON.stringify(jwks))
  return `<meta name="kitseal-anchor" data-from="${escaped(from)}" content="${content}" />\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
