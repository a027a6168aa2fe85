import { createPublicKey, type KeyObject } from 'node:crypto'

const MAX_KEYS = 64
const keys = new Map<string, KeyObject>()

/** A raw Ed25519 public key for node:crypto. Making one costs as much as a verification, and an issuer has few keys. */
export function publicKeyObject(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString('base64url')
  const known = keys.get(x)
  if (known !== undefined) return known
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(x, key)
  return key
}
