import type { Client } from '@kitseal/client'
import { type JsonValue, NO_TRUST, parseJwks, type Trust } from '@kitseal/kit'
import type { ReadersKeys } from './readers-keys.ts'
import { shellWord } from './shell-word.ts'

export const TRUST_OPTIONS = { jwks: 'many', kid: 'many' } as const

export const TRUST_HELP = `  --jwks FILE|URL the issuer's public key set, to verify the kit with; may be given several times
  --kid KID       the key that you know to be the issuer's; may be given several times`

/** Whom a downloaded kit is verified against, and how that is said. */
export interface DownloadTrust {
  readonly trust: Trust
  readonly keys: 'given' | 'pinned' | 'service'
}

/**
 * The keys that were given; else those pinned for the issuer; else, and then the output says so, those that the service
 * itself publishes, which prove that the kit is whole and nothing about who runs that service.
 */
export async function downloadTrust(
  { keySets: given, kids, pins }: ReadersKeys,
  kitId: string,
  { client, url, signal }: { readonly client: Client; readonly url: string; readonly signal: AbortSignal },
): Promise<DownloadTrust> {
  if (given.length + kids.length > 0) return { trust: { ...NO_TRUST, keySets: given, kids }, keys: 'given' }
  if (pins.length > 0) {
    const { issuer } = await client.getReceipt(kitId, { signal })
    const names = new Set([issuer, url, new URL(url).origin])
    if (pins.some((pin) => names.has(pin.issuer))) return { trust: { ...NO_TRUST, pins }, keys: 'pinned' }
  }
  const published = parseJwks((await client.getKeys({ signal })) as unknown as JsonValue)
  const keySets = published.ok ? [published.value] : []
  return { trust: { ...NO_TRUST, keySets }, keys: 'service' }
}

export function trustLine({ keys }: DownloadTrust, url: string): string {
  if (keys === 'given') return 'with the keys that you gave'
  if (keys === 'pinned') return 'with the keys that you have pinned'
  return `with the keys that ${url} itself publishes; to pin them: kitseal trust add ${shellWord(`${url}/.well-known/jwks.json`)}`
}
