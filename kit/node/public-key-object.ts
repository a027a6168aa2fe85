import { createPublicKey, type KeyObject } from 'node:crypto'

const MAX_KEYS = 64
const keys = new Map<string, KeyObject>()

/**
 * A raw Ed25519 public key for node:crypto. Cached, because creating one costs as much as a verification.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { verify } from 'node:crypto'
 * import { fromBase64url } from '@kitseal/kit'
 * import { publicKeyObject, readPrivateKey } from '@kitseal/kit/node'
 *
 * const signer = readPrivateKey('issuer.key')
 * const message = Buffer.from('signed')
 * const key = publicKeyObject(fromBase64url(signer.x) ?? new Uint8Array())
 * assert.ok(verify(null, message, key, await signer.sign(message)))
 * ```
 */
export function publicKeyObject(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString('base64url')
  const known = keys.get(x)
  if (known !== undefined) return known
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(x, key)
  return key
}
