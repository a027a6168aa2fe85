import { base64url } from '../../kit/src/encoding/base64url.ts'
import type { JsonValue } from '../../kit/src/encoding/strict-json.ts'
import { add, encode, multiplyBase, ORDER_EIGHT, P, toBytes } from './edwards.ts'
import { BORN, forger, ISSUED_AT, issuer, jwk, nextIssuer, seconds } from './keys.ts'

/** Invalid public keys, each as its x. */
export const ODD_KEYS = {
  identity: base64url(toBytes(1n)),
  'order-eight': base64url(encode(ORDER_EIGHT)),
  /** y = p + 3, which some implementations read as y = 3. */
  'non-canonical': base64url(toBytes(P + 3n)),
  /** The issuer's point plus one of order eight. */
  'mixed-order': base64url(encode(add(multiplyBase(issuer.scalar.a), ORDER_EIGHT))),
} as const

const RSA = {
  kty: 'RSA',
  kid: 'rsa-1',
  use: 'sig',
  alg: 'RS256',
  n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri',
  e: 'AQAB',
}
const X25519 = { kty: 'OKP', crv: 'X25519', kid: 'x-1', use: 'enc', x: nextIssuer.x }

export const REVOCATION = { kid: issuer.kid, revoked_at: '2026-06-01T08:00:00.000Z' }

/** Key sets of the vectors, by name. They are published with `revoked_keys`. */
export const KEY_SETS = {
  issuer: { keys: [jwk(issuer.x, BORN)] },
  'issuer-among-others': { keys: [RSA, jwk(nextIssuer.x, BORN), X25519, jwk(issuer.x, BORN)] },
  'issuer-without-life': { keys: [{ kty: 'OKP', crv: 'Ed25519', x: issuer.x, kid: issuer.kid }] },
  'issuer-retired-later': { keys: [jwk(issuer.x, { ...BORN, exp: seconds('2026-06-01T00:00:00Z') })] },
  'issuer-retired-before': { keys: [jwk(issuer.x, { ...BORN, exp: seconds('2026-05-01T00:00:00Z') })] },
  'issuer-retired-then': { keys: [jwk(issuer.x, { ...BORN, exp: seconds(ISSUED_AT) })] },
  'issuer-retired-a-second-later': { keys: [jwk(issuer.x, { ...BORN, exp: seconds(ISSUED_AT) + 1 })] },
  'issuer-born-then': { keys: [jwk(issuer.x, { iat: seconds(ISSUED_AT) })] },
  'issuer-born-later': { keys: [jwk(issuer.x, { iat: seconds(ISSUED_AT) + 1 })] },
  'issuer-revoked': { keys: [jwk(nextIssuer.x, BORN)] },
  'issuer-listed-as-revoked': { keys: [jwk(nextIssuer.x, BORN)], revoked_keys: [REVOCATION] },
  'issuer-compromised': {
    keys: [jwk(nextIssuer.x, BORN)],
    revoked_keys: [{ ...REVOCATION, compromised_since: '2026-05-01T00:00:00.000Z' }],
  },
  'issuer-compromised-later': {
    keys: [jwk(nextIssuer.x, BORN)],
    revoked_keys: [{ ...REVOCATION, compromised_since: '2026-05-05T12:01:31.001Z' }],
  },
  'issuer-compromised-then': {
    keys: [jwk(nextIssuer.x, BORN)],
    revoked_keys: [{ ...REVOCATION, compromised_since: '2026-05-05T12:01:31.000Z' }],
  },
  'issuer-listed-and-revoked': { keys: [jwk(issuer.x, BORN)], revoked_keys: [REVOCATION] },
  'issuer-with-another-revoked': {
    keys: [jwk(issuer.x, BORN)],
    revoked_keys: [{ ...REVOCATION, kid: nextIssuer.kid }],
  },
  'issuer-twice': { keys: [jwk(issuer.x, BORN), jwk(issuer.x, BORN)] },
  'issuer-with-private-member': { keys: [{ ...jwk(issuer.x, BORN), d: base64url(new Uint8Array(32)) }] },
  'issuer-for-encryption': { keys: [{ ...jwk(issuer.x, BORN), use: 'enc' }] },
  'issuer-kid-on-forged-key': { keys: [{ ...jwk(forger.x, BORN), kid: issuer.kid }] },
  forger: { keys: [jwk(forger.x, BORN)] },
  empty: { keys: [] },
  identity: { keys: [jwk(ODD_KEYS.identity, BORN)] },
  'order-eight': { keys: [jwk(ODD_KEYS['order-eight'], BORN)] },
  'non-canonical': { keys: [jwk(ODD_KEYS['non-canonical'], BORN)] },
  'mixed-order': { keys: [jwk(ODD_KEYS['mixed-order'], BORN)] },
} as const satisfies Record<string, JsonValue>

export type KeySetName = keyof typeof KEY_SETS

/** Byte for byte the jwks.json of a kit, saved to a file. */
const KIT_COPIES = { 'kit-copy': KEY_SETS.issuer, 'kit-copy-forged': KEY_SETS.forger } as const

export type KeySetFileName = KeySetName | keyof typeof KIT_COPIES

/** The content of each key set file. */
export const KEY_SET_FILES: Readonly<Record<string, JsonValue>> = {
  ...Object.fromEntries(
    Object.entries(KEY_SETS).map(([name, set]) => [name, { revoked_keys: [], ...set } as JsonValue]),
  ),
  ...KIT_COPIES,
}

export function keySetFile(name: KeySetFileName): string {
  return `keys/${name}.json`
}
