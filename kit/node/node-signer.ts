import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { thumbprint } from '../src/jwks.ts'
import type { KitSigner } from '../src/seal.ts'

/** A signer with its public key: `x` as in a JWK. */
export type NodeSigner = KitSigner & { readonly x: string }

/** Signs with a private key in this process. */
export function nodeSigner(privateKey: KeyObject): NodeSigner {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('not an Ed25519 key')
  return { kid: thumbprint(x), x, sign: (message) => sign(null, message, privateKey) }
}
