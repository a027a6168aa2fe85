import { verify } from 'node:crypto'
import type { Host } from '@kitseal/kit'
import { nodeHost, publicKeyObject } from '@kitseal/kit/node'

/**
 * Node's own primitives, with the signature verified by a thread of the pool: it is half the cost of a request, and the
 * event loop serves others meanwhile.
 */
export function pooledHost(): Host {
  return {
    ...nodeHost,
    verifyEd25519: (publicKey, message, signature) =>
      new Promise((resolve, reject) => {
        verify(null, message, publicKeyObject(publicKey), signature, (error, holds) =>
          error === null ? resolve(holds) : reject(error),
        )
      }),
  }
}
