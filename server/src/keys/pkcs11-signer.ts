import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { thumbprint } from '@kitseal/kit/internal'
import type { Pkcs11Config } from '../settings/config.ts'
import { connectToken, type TokenSession } from './pkcs11-token.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'

/** Private keys in a PKCS#11 token, such as an HSM. They never leave it. */
export function pkcs11Keys(options: Pkcs11Config): KeyProvider {
  let session: Promise<TokenSession> | undefined

  function connected(): Promise<TokenSession> {
    session ??= connectToken(options).catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }

  async function disconnect(): Promise<void> {
    const open = session
    session = undefined
    await (await open?.catch(() => undefined))?.close()
  }

  /** Retries once with a new session, because a token that was unplugged loses its sessions. */
  async function signOnToken(reference: string, message: Uint8Array): Promise<Uint8Array> {
    try {
      return await (await connected()).sign(idOf(reference), message)
    } catch (error) {
      if (error instanceof KeyUnusable) throw error
      await disconnect()
      return (await connected()).sign(idOf(reference), message)
    }
  }

  return {
    name: 'pkcs11',
    async create() {
      const id = randomBytes(16)
      const x = Buffer.from(await (await connected()).generate(id)).toString('base64url')
      return { kid: thumbprint(x), x, reference: id.toString('hex') }
    },
    async open(key) {
      const signer: Signer = {
        kid: key.kid,
        x: key.x,
        sign: (message) => signOnToken(key.reference, message),
      }
      await checkSigner(signer, key, options.token)
      return signer
    },
    async destroy(reference) {
      await (await connected()).destroy(idOf(reference))
    },
    close: disconnect,
  }
}

async function checkSigner(signer: Signer, key: CreatedKey, token: string): Promise<void> {
  const challenge = randomBytes(32)
  const signature = await signer.sign(challenge)
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  if (!verify(null, challenge, publicKey, signature)) {
    throw new KeyUnusable(
      `token "${token}" has a different key with the ID of ${key.kid}; restore the token, or rotate`,
    )
  }
}

function idOf(reference: string): Buffer {
  if (!/^[0-9a-f]{32}$/.test(reference))
    throw new KeyUnusable('the reference of the key is not a token object ID')
  return Buffer.from(reference, 'hex')
}
