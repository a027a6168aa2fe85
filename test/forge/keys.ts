import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { base64url } from '../../kit/src/encoding/bytes.ts'
import { type PublicJwk, thumbprint } from '../../kit/src/jwks.ts'

/** A signing key derived from its name, the same in every run. For tests only. */
export interface TestKey {
  readonly kid: string
  readonly x: string
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function testKey(name: string): TestKey {
  const seed = createHash('sha256').update(`kitseal test key: ${name}`).digest()
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
  const x = base64url(publicKey)
  return { kid: thumbprint(x), x, publicKey, sign: (message) => sign(null, message, key) }
}

export const issuer = testKey('issuer')
export const forger = testKey('forger')

export function jwk(x: string, life: { readonly iat?: number; readonly exp?: number } = {}): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), use: 'sig', alg: 'EdDSA', ...life }
}

/** Seconds since 1970 of a UTC time, as in iat and exp. */
export function seconds(instant: string): number {
  return Date.parse(instant) / 1000
}

export const ISSUED_AT = '2026-05-05T12:00:00.000Z'
export const BORN = { iat: seconds('2026-01-01T00:00:00Z') }

/** The key set of the issuer. */
export const ISSUER_KEYS = { keys: [jwk(issuer.x, BORN)] }
