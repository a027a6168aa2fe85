import { readFileSync } from 'node:fs'
import type { Jwks, PublishedJwks } from '../src/jwks.ts'

/** The keys of an issuer that serves the page itself. */
interface PresetAnchor {
  /** The issuer. The keys verify only kits that name it. */
  readonly from: string
  readonly jwks: Jwks | PublishedJwks
}

/**
 * START-HERE.html: the page in each kit that explains and verifies it. It names the issuer, but trusts no keys.
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

/** The same page for the website of an issuer, which trusts the keys of that issuer. */
export function verifierPage(preset?: PresetAnchor): Uint8Array {
  const page = pageFile()
  if (preset === undefined) return page
  const html = page.toString()
  const at = html.indexOf('<title>')
  return Buffer.from(html.slice(0, at) + anchorTag(preset) + html.slice(at))
}

/** The page, set in the bundle of the command line. */
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
