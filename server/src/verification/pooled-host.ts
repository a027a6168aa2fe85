import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Host } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

const MAX_KEYS = 64

/**
 * Node's own primitives, with the signature verified by a thread of the pool: it is half the cost of a request, and the
 * event loop serves others meanwhile.
 */
export function pooledHost(): Host {
  const keys = new Map<string, KeyObject>()

  /** Making a KeyObject costs as much as a verification, and an issuer has few keys. */
  function keyObject(publicKey: Uint8Array): KeyObject {
    const x = Buffer.from(publicKey).toString('base64url')
    const known = keys.get(x)
    if (known !== undefined) return known
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(x, key)
    return key
  }

  return {
    ...nodeHost,
    verifyEd25519: (publicKey, message, signature) =>
      new Promise((resolve, reject) => {
        verify(null, message, keyObject(publicKey), signature, (error, holds) =>
          error === null ? resolve(holds) : reject(error),
        )
      }),
  }
}
