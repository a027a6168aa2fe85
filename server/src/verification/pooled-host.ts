import { verify } from 'node:crypto'
import type { Host } from '@kitseal/kit'
import { nodeHost, publicKeyObject } from '@kitseal/kit/node'

/** Node's crypto, with signatures verified in the thread pool, because that is half the cost of a request. */
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
