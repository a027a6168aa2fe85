import { type Reason, reason } from './texts/english.ts'
import { base64url, fromBase64url } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './encoding/strict-json.ts'
import { sha256 } from './crypto/sha256.ts'
import { instant, type Parsed } from './parsing.ts'

export type PublicJwk = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
  /** When the key became active and when it was retired, in seconds since 1970. */
  readonly iat?: number
  readonly exp?: number
}

export type Jwks = { readonly keys: readonly PublicJwk[] }

/** The key ID of an Ed25519 public key: its RFC 7638 thumbprint. */
export function thumbprint(x: string): string {
  return base64url(sha256(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x })))
}

/**
 * The public key with this `x`, as a key set lists it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { publicJwk } from '@kitseal/kit'
 * import { readPrivateKey } from '@kitseal/kit/node'
 *
 * const { x, kid } = readPrivateKey('issuer.key')
 * assert.equal(publicJwk(x, { iat: 1_767_225_600 }).kid, kid)
 * ```
 */
export function publicJwk(
  x: string,
  { iat, exp }: { readonly iat?: JsonValue; readonly exp?: JsonValue } = {},
  /** Its thumbprint, if it is known. */
  kid = thumbprint(x),
): PublicJwk {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    use: 'sig',
    alg: 'EdDSA',
    ...(typeof iat === 'number' ? { iat } : {}),
    ...(typeof exp === 'number' ? { exp } : {}),
  }
}

/** A parsed key set: the valid keys, those that were rejected, and those that the issuer has revoked. */
export type KeySet = Jwks & {
  readonly refused: readonly RefusedKey[]
  readonly revoked: readonly RevokedKey[]
}

/** An entry of `revoked_keys` in a published key set. */
export type RevokedKey = {
  readonly kid: string
  readonly revoked_at: string
  readonly compromised_since?: string
}

/** A key set as an issuer publishes it. The copy in a kit has no `revoked_keys`. */
export type PublishedJwks = Jwks & { readonly revoked_keys: readonly RevokedKey[] }

type RefusedKey = {
  readonly kid: string | undefined
  readonly why: Reason
}

/**
 * Parses a key set. Keys of other types are skipped, as RFC 7517 requires. An Ed25519 key that is malformed,
 * contains a private member, is listed twice or whose kid is not its thumbprint is listed in `refused`.
 * `revoked_keys` is optional, but a set with a malformed one is rejected.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { parseJwks, parseStrictJson } from '@kitseal/kit'
 *
 * const parsed = parseJwks(parseStrictJson(readFileSync('issuer.jwks.json')))
 * assert.ok(parsed.ok)
 * assert.equal(parsed.value.keys.length, 1)
 * ```
 */
export function parseJwks(value: JsonValue): Parsed<KeySet> {
  const entries = isJsonObject(value) ? value['keys'] : undefined
  if (!Array.isArray(entries)) return { ok: false, problems: ['not a JWK set: expected {"keys": […]}'] }
  const keys = new Map<string, PublicJwk>()
  const refused: RefusedKey[] = []
  for (const key of entries as readonly JsonValue[]) {
    if (!isJsonObject(key)) return { ok: false, problems: ['not a JWK set: a key is not a JSON object'] }
    const kid = typeof key['kid'] === 'string' ? key['kid'] : undefined
    const problem = keyProblem(key)
    if (problem !== undefined) refused.push({ kid, why: problem })
    else if (!isEd25519(key) || kid === undefined) continue
    else if (keys.has(kid)) refused.push({ kid, why: reason('reason.twice') })
    else keys.set(kid, publicJwk(key['x'] as string, key, kid))
  }
  for (const { kid } of refused) if (kid !== undefined) keys.delete(kid)
  const revoked = parseRevokedKeys((value as JsonObject)['revoked_keys'])
  if (typeof revoked === 'string') return { ok: false, problems: [`not a JWK set: revoked_keys ${revoked}`] }
  return { ok: true, value: { keys: [...keys.values()], refused, revoked } }
}

const REVOKED_MEMBERS = new Set(['kid', 'revoked_at', 'compromised_since'])

/** The revoked keys, or what is wrong with the list. */
function parseRevokedKeys(value: JsonValue | undefined): readonly RevokedKey[] | string {
  if (value === undefined) return []
  if (!Array.isArray(value)) return 'is not a list'
  const revoked = new Map<string, RevokedKey>()
  for (const entry of value as readonly JsonValue[]) {
    if (!isJsonObject(entry)) return 'contains an entry that is not a JSON object'
    const { kid, revoked_at: revokedAt, compromised_since: since } = entry
    const unknown = Object.keys(entry).find((name) => !REVOKED_MEMBERS.has(name))
    if (unknown !== undefined) return `contains the unknown member ${JSON.stringify(unknown)}`
    if (typeof kid !== 'string' || fromBase64url(kid)?.length !== 32) return 'contains an invalid kid'
    if (instant(revokedAt ?? null) !== undefined) return 'contains an invalid revoked_at'
    if (since !== undefined && instant(since) !== undefined) return 'contains an invalid compromised_since'
    if (revoked.has(kid)) return `lists ${kid} twice`
    revoked.set(kid, entry as RevokedKey)
  }
  return [...revoked.values()]
}

/** Finds a key by its key ID. */
export function findKey(jwks: Jwks, kid: string): PublicJwk | undefined {
  return jwks.keys.find((key) => key.kid === kid)
}

/** Whether a key was active at a time: iat <= time < exp. */
export function wasKeyActive(key: Pick<PublicJwk, 'iat' | 'exp'>, at: string): boolean {
  const time = Date.parse(at)
  return (key.iat === undefined || key.iat * 1000 <= time) && (key.exp === undefined || time < key.exp * 1000)
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function keyProblem(key: JsonObject): Reason | undefined {
  const secret = PRIVATE_MEMBERS.find((name) => name in key)
  if (secret !== undefined) return reason('reason.privateMember', { member: `"${secret}"` })
  if (!isEd25519(key)) return undefined
  const { x, kid, use, alg, iat, exp } = key
  if (typeof x !== 'string' || fromBase64url(x)?.length !== 32) return reason('reason.noX')
  if (kid !== thumbprint(x))
    return reason('reason.otherKid', { kid: JSON.stringify(kid ?? null), thumbprint: thumbprint(x) })
  if (use !== undefined && use !== 'sig') return reason('reason.notForSignatures')
  if (alg !== undefined && alg !== 'EdDSA' && alg !== 'Ed25519') return reason('reason.notForEd25519')
  for (const [name, time] of Object.entries({ iat, exp })) {
    if (time !== undefined && (typeof time !== 'number' || time < 0))
      return reason('reason.badTime', { member: name })
  }
  return undefined
}

function isEd25519(key: JsonObject): boolean {
  return key['kty'] === 'OKP' && key['crv'] === 'Ed25519'
}
