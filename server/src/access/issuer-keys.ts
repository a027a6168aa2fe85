import type { JSONWebKeySet } from 'jose'
import type { Clock } from '../runtime/clock.ts'
import { Refusal } from '../refusals.ts'
import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

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

/** The public keys of issuers, by discovery (OpenID Connect). */
export type IssuerKeys = ReturnType<typeof issuerKeys>

export function issuerKeys(clock: Clock, isAllowed: (address: string) => boolean) {
  const cache = new Map<string, { readonly at: number; readonly keys: Promise<JSONWebKeySet> }>()
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

interface GetOptions {
  /** Checked for the address that is connected to, so that a name that resolves to another one later gains nothing. */
  readonly isAllowed: (address: string) => boolean
  readonly limitBytes: number
  readonly timeoutMs: number
}

/** Gets a JSON document from another system. Redirects are not followed. Throws an Error that says what went wrong. */
function getJson(address: string, { isAllowed, limitBytes, timeoutMs }: GetOptions): Promise<unknown> {
  const url = new URL(address)
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // The lookup is not called for addresses.
  if (isIP(host) !== 0 && !isAllowed(host))
    return Promise.reject(new Error(`${host} is not a public address`))
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const sent = request(url, {
    agent: false,
    lookup: allowedOnly(isAllowed),
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
  })
  sent.on('error', reject)
  sent.on('response', (response) => {
    const parts: Buffer[] = []
    let total = 0
    if (response.statusCode !== 200) return void sent.destroy(new Error(`it returned ${response.statusCode}`))
    response.on('error', reject)
    response.on('data', (part: Buffer) => {
      total += part.length
      if (total > limitBytes) sent.destroy(new Error(`it returned more than ${limitBytes} bytes`))
      else parts.push(part)
    })
    response.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString()))
      } catch {
        reject(new Error('it did not return JSON'))
      }
    })
  })
  sent.end()
  return promise
}

function allowedOnly(isAllowed: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '')
      const refused = found.find(({ address }) => !isAllowed(address))
      if (refused !== undefined)
        // Which address it is would tell the caller about the operator's network.
        return done(new Error(`${name} does not lead to a public address`), '')
      const [first] = found
      if (options.all === true) return done(null, found)
      return done(null, first?.address ?? '', first?.family)
    })
}
