import type { JSONWebKeySet } from 'jose'
import { type AllowedAddresses, exchange } from '../deliveries/outgoing.ts'
import type { Clock } from '../runtime/clock.ts'
import { Refusal } from '../refusals.ts'

/** https, or http on this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const FRESH_MS = 10 * 60_000
const RETRY_MS = 30_000
const MAX_ISSUERS = 500

/** The public keys of issuers, by discovery (OpenID Connect). */
export type IssuerKeys = ReturnType<typeof issuerKeys>

export function issuerKeys(clock: Clock, allowed: AllowedAddresses) {
  const cache = new Map<string, { readonly at: number; readonly keys: Promise<JSONWebKeySet> }>()
  const load = (issuer: string): Promise<JSONWebKeySet> => {
    const keys = fetchKeys(issuer, allowed).catch((cause: unknown) => {
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

async function fetchKeys(issuer: string, allowed: AllowedAddresses): Promise<JSONWebKeySet> {
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { issuer: named, jwks_uri } = await getJson(discovery, allowed)
  if (named !== issuer) throw new Error('its configuration names another issuer')
  if (typeof jwks_uri !== 'string' || !isIssuerUrl(jwks_uri))
    throw new Error('its configuration has no jwks_uri with https')
  const { keys } = await getJson(jwks_uri, allowed)
  if (!Array.isArray(keys)) throw new Error('its key set has no keys')
  return { keys: keys.slice(0, 100) }
}

const LIMITS = { limitBytes: 128 * 1024, timeoutMs: 5000 } as const
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity' } as const

async function getJson(url: string, allowed: AllowedAddresses): Promise<Readonly<Record<string, unknown>>> {
  const { status, content } = await exchange(new URL(url), {
    allowed,
    agent: false,
    headers: HEADERS,
    ...LIMITS,
  })
  if (status !== 200) throw new Error(`it returned ${status}`)
  if (content === undefined) throw new Error(`it returned more than ${LIMITS.limitBytes} bytes`)
  try {
    return (JSON.parse(content.toString()) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    throw new Error('it did not return JSON')
  }
}
