import type { Client } from '@kitseal/client'
import { type JsonValue, NO_TRUST, parseJwks, type Trust } from '@kitseal/kit'
import type { TrustedKeys } from './trusted-keys.ts'
import { shellQuote } from './shell-quote.ts'

export const TRUST_OPTIONS = { jwks: 'many', kid: 'many' } as const

export const TRUST_HELP = `  --jwks FILE|URL verify the kit with this public key set of the issuer (repeatable)
  --kid KID       verify the kit with this key ID of the issuer (repeatable)`

/** The keys a downloaded kit is verified with, and where they came from. */
export interface DownloadTrust {
  readonly trust: Trust
  readonly keys: 'given' | 'pinned' | 'service'
}

/**
 * The keys given as options, else those pinned for the issuer, else those the service publishes. The last prove only
 * that the kit is intact, not who runs the service, and the output says so.
 */
export async function downloadTrust(
  { keySets: given, kids, pins, logs }: TrustedKeys,
  kitId: string,
  { client, url, signal }: { readonly client: Client; readonly url: string; readonly signal: AbortSignal },
): Promise<DownloadTrust> {
  if (given.length + kids.length > 0)
    return { trust: { ...NO_TRUST, keySets: given, kids, logs }, keys: 'given' }
  if (pins.length > 0) {
    const { issuer } = await client.getReceipt(kitId, { signal })
    const names = new Set([issuer, url, new URL(url).origin])
    if (pins.some((pin) => names.has(pin.issuer)))
      return { trust: { ...NO_TRUST, pins, logs }, keys: 'pinned' }
  }
  const published = parseJwks((await client.getKeys({ signal })) as unknown as JsonValue)
  const keySets = published.ok ? [{ ...published.value, source: 'url' as const }] : []
  return { trust: { ...NO_TRUST, keySets, logs }, keys: 'service' }
}

export function trustLine({ keys }: DownloadTrust, url: string): string {
  if (keys === 'given') return 'with the keys you gave'
  if (keys === 'pinned') return 'with your pinned keys'
  return `with the keys published by ${url}. To pin them: kitseal trust add ${shellQuote(url)}`
}
