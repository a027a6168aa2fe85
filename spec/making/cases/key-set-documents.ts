import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import { type Case, json } from '../case.ts'
import { KEY_SETS, type KeySetName, REVOCATION } from '../key-sets.ts'
import { issuer, jwk, nextIssuer } from '../keys.ts'

const set = (name: string, value: JsonValue, kids: readonly string[] | undefined): Case => ({
  name,
  kind: 'jwks',
  expected: kids === undefined ? { accepted: false } : { accepted: true, kids },
  content: json(value),
})

const named = (name: string, key: KeySetName, kids: readonly string[]): Case => set(name, KEY_SETS[key], kids)
const issuerKey = jwk(issuer.x)

export const goodKeySets: readonly Case[] = [
  named('a-key-set-yields-its-ed25519-keys', 'issuer-among-others', [nextIssuer.kid, issuer.kid]),
  set('a-key-set-may-carry-other-members', { keys: [{ ...issuerKey, nbf: 1, x5c: [] }], note: 'x' }, [
    issuer.kid,
  ]),
  set(
    'a-foreign-key-under-the-same-kid-is-passed-over',
    { keys: [{ kty: 'RSA', kid: issuer.kid }, issuerKey, { kty: 'RSA', kid: issuer.kid }] },
    [issuer.kid],
  ),
  named('a-key-set-may-list-revoked-keys', 'issuer-compromised', [nextIssuer.kid]),
  set('a-key-set-may-list-no-revoked-keys', { keys: [issuerKey], revoked_keys: [] }, [issuer.kid]),
  set('the-algorithm-may-be-named-ed25519', { keys: [{ ...issuerKey, alg: 'Ed25519' }] }, [issuer.kid]),
]

export const badKeySets: readonly Case[] = [
  named('a-kid-that-is-not-the-thumbprint-yields-no-key', 'issuer-kid-on-forged-key', []),
  named('a-key-twice-yields-no-key', 'issuer-twice', []),
  named('a-private-key-yields-no-key', 'issuer-with-private-member', []),
  named('an-encryption-key-yields-no-key', 'issuer-for-encryption', []),
  set('a-key-without-a-kid-yields-no-key', { keys: [without('kid')] }, []),
  set('a-key-for-another-algorithm-yields-no-key', { keys: [{ ...issuerKey, alg: 'ES256' }] }, []),
  set('a-key-with-padding-yields-no-key', { keys: [{ ...issuerKey, x: `${issuer.x}=` }] }, []),
  set('a-key-of-31-bytes-yields-no-key', { keys: [{ ...issuerKey, x: issuer.x.slice(0, -2) }] }, []),
  set('a-key-whose-life-is-text-yields-no-key', { keys: [{ ...issuerKey, exp: '2026' }] }, []),
  set('a-key-whose-life-is-negative-yields-no-key', { keys: [{ ...issuerKey, iat: -1 }] }, []),
  set(
    'a-key-beside-a-broken-twin-yields-no-key',
    { keys: [issuerKey, { ...issuerKey, x: nextIssuer.x }] },
    [],
  ),
  ...(
    [
      ['that-are-no-list', REVOCATION],
      ['with-an-entry-that-is-text', [issuer.kid]],
      ['with-a-kid-that-is-not-one', [{ ...REVOCATION, kid: 'issuer' }]],
      ['without-a-kid', [{ revoked_at: REVOCATION.revoked_at }]],
      ['without-a-time', [{ kid: issuer.kid }]],
      ['with-a-time-in-seconds', [{ ...REVOCATION, revoked_at: 1 }]],
      ['with-a-malformed-time-of-compromise', [{ ...REVOCATION, compromised_since: '2026-05-01' }]],
      ['with-an-unknown-member', [{ ...REVOCATION, reason: 'lost' }]],
      ['with-a-key-twice', [REVOCATION, REVOCATION]],
    ] as const
  ).map(([what, revoked]) =>
    set(`revoked-keys-${what}-are-no-key-set`, { keys: [issuerKey], revoked_keys: revoked }, undefined),
  ),
  set('a-single-key-is-not-a-key-set', issuerKey, undefined),
  set('a-list-is-not-a-key-set', [issuerKey], undefined),
  set('a-key-set-whose-keys-are-no-list-is-none', { keys: { a: issuerKey } }, undefined),
  set('a-key-set-with-a-key-that-is-text-is-none', { keys: [issuerKey, 'key'] }, undefined),
]

function without(member: string): JsonValue {
  return Object.fromEntries(Object.entries(issuerKey).filter(([name]) => name !== member))
}
