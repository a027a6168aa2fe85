import {
  type JsonValue,
  keyText,
  NO_TRUST,
  parseJwks,
  type Trust,
  type VerificationReport,
} from '@kitseal/kit/internal'
import { InputError } from './input-error.ts'
import { issuerUrl } from './issuer-url.ts'
import type { TrustedKeys } from './trusted-keys.ts'
import { pinIssuer } from './pin-issuer.ts'
import type { ServiceCall } from './service-call.ts'
import { shellQuote } from './shell-quote.ts'
import { printable, writeLines } from './terminal.ts'

export const TRUST_OPTIONS = {
  jwks: 'FILE|URL…  verify the kit with this public key set of the issuer (repeatable)',
  kid: 'KID…  verify the kit with this key ID of the issuer (repeatable)',
} as const

/** The keys a downloaded kit is verified with, and where they came from. */
export interface DownloadTrust {
  readonly trust: Trust
  readonly keys: 'given' | 'pinned' | 'service'
}

/**
 * The keys given as options, else those pinned for the issuer, else those the service publishes. They are pinned if the service is the
 * issuer, and do not confirm the sender if it is not.
 */
export async function downloadTrust(
  { keySets: given, kids, pins, logs }: TrustedKeys,
  kitId: string,
  { client, url, signal, terminal }: ServiceCall,
): Promise<DownloadTrust> {
  if (given.length + kids.length > 0)
    return { trust: { ...NO_TRUST, keySets: given, kids, logs }, keys: 'given' }
  const { issuer } = await client.getReceipt(kitId, { signal })
  const isPinned = (each: { readonly issuer: string }): boolean => each.issuer === issuer
  // The log says which keys are new and which are revoked.
  if (pins.some(isPinned) && logs.some(isPinned))
    return { trust: await pinIssuer(issuer, terminal, url), keys: 'pinned' }
  const names = new Set([issuer, url, new URL(url).origin])
  if (pins.some((pin) => names.has(pin.issuer))) return { trust: { ...NO_TRUST, pins, logs }, keys: 'pinned' }
  // The user typed the address of the issuer itself: pinned at its first use, so that "kitseal verify" says the same.
  if (issuerUrl(url) === issuer)
    try {
      return { trust: await pinIssuer(issuer, terminal), keys: 'pinned' }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      writeLines(terminal.stderr, [`The keys of ${printable(issuer)} were not pinned: ${error.message}`])
    }
  const published = parseJwks((await client.getKeys({ signal })) as unknown as JsonValue)
  const keySets = published.ok ? [{ ...published.value, source: 'service' as const, address: url }] : []
  return { trust: { ...NO_TRUST, keySets, logs }, keys: 'service' }
}

/** Where the key is from, and how to pin it if it is not. */
export function trustLine({ keys }: DownloadTrust, { signer }: VerificationReport, url: string): string {
  const hint = keys === 'service' ? `. To pin it: kitseal trust add ${shellQuote(url)}` : ''
  return `with ${keyText(signer)}${hint}`
}

/** What to do if the keys of the service do not confirm the sender of a kit. */
export function confirmHint({ keys }: DownloadTrust, { verdict }: VerificationReport): readonly string[] {
  if (keys !== 'service' || verdict !== 'sender_unconfirmed') return []
  return ['To confirm the sender: pin the issuer with "kitseal trust add ISSUER", or pass --jwks or --kid.']
}
