import type { JSONWebKeySet } from 'jose'
import type { Clock } from '../runtime/clock.ts'
import { getJson } from '../http/get-json.ts'
import { Refusal } from '../refusals.ts'

/** https, or http on this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const LIMITS = { limitBytes: 128 * 1024, timeoutMs: 5000 }
const FRESH_MS = 10 * 60_000
const RETRY_MS = 30_000
const MAX_ISSUERS = 500

interface Cached {
  readonly at: number
  readonly keys: Promise<JSONWebKeySet>
}

/** The public keys of issuers, by discovery (OpenID Connect). */
export type IssuerKeys = ReturnType<typeof issuerKeys>

export function issuerKeys(clock: Clock, isAllowed: (address: string) => boolean) {
  const cache = new Map<string, Cached>()
  const load = (issuer: string): Promise<JSONWebKeySet> => {
    const keys = fetchKeys(issuer, isAllowed).catch((cause: unknown) => {
      cache.delete(issuer)
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal('issuer_unavailable', `The keys of ${issuer} cannot be fetched: ${why}.`, {
        cause,
        headers: { 'retry-after': '10' },
      })
    })
    const [oldest] = cache.keys()
    if (cache.size >= MAX_ISSUERS && oldest !== undefined) cache.delete(oldest)
    cache.set(issuer, { at: clock.now(), keys })
    return keys
  }
  return {
    /** `isUnknown`: the token names a key that the cached set does not have, so a new set is fetched, if the last one is not recent. */
    get: (issuer: string, isUnknown: boolean): Promise<JSONWebKeySet> => {
      const known = cache.get(issuer)
      const age = known === undefined ? Number.POSITIVE_INFINITY : clock.now() - known.at
      return known !== undefined && age < (isUnknown ? RETRY_MS : FRESH_MS) ? known.keys : load(issuer)
    },
  }
}

async function fetchKeys(issuer: string, isAllowed: (address: string) => boolean): Promise<JSONWebKeySet> {
  const options = { ...LIMITS, isAllowed }
  const document = await getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, options)
  const { issuer: named, jwks_uri } = (document ?? {}) as Readonly<Record<string, unknown>>
  if (named !== issuer) throw new Error('its configuration names another issuer')
  if (typeof jwks_uri !== 'string' || !isIssuerUrl(jwks_uri))
    throw new Error('its configuration has no jwks_uri with https')
  const set = (await getJson(jwks_uri, options)) as { readonly keys?: unknown } | null
  if (!Array.isArray(set?.keys)) throw new Error('its key set has no keys')
  return { keys: set.keys.slice(0, 100) } as JSONWebKeySet
}
