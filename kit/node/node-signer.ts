import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { thumbprint } from '../src/jwks.ts'
import type { KitSigner } from '../src/seal.ts'

/** A signer whose private key is in this process. */
export function nodeSigner(privateKey: KeyObject): KitSigner & { readonly x: string } {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('not an Ed25519 key')
  return { kid: thumbprint(x), x, sign: (message) => sign(null, message, privateKey) }
}
