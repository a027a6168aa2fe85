import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { thumbprint } from '@kitseal/kit/internal'
import { isEncryptedKey, encryptKey, decryptKey } from './encrypted-key.ts'
import { type CreatedKey, KeyUnusable, type Signer } from './signer.ts'

export function newKeyPair(): { readonly kid: string; readonly x: string; readonly privateKey: KeyObject } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const x = publicX(privateKey)
  return { kid: thumbprint(x), x, privateKey }
}

export const signerOf = ({ kid, x }: CreatedKey, privateKey: KeyObject): Signer => ({
  kid,
  x,
  sign: async (message) => sign(null, message, privateKey),
})

/** The stored form of a private key: encrypted with the passphrase, or plain PKCS#8 without one. */
export async function keyText(
  kid: string,
  privateKey: KeyObject,
  passphrase: string | undefined,
): Promise<string> {
  return passphrase === undefined
    ? privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    : encryptKey(kid, privateKey.export({ type: 'pkcs8', format: 'der' }), passphrase)
}

/** Rejects an unencrypted key if others are encrypted: the passphrase was probably forgotten. */
export function requirePassphrase(
  existing: readonly string[],
  passphrase: string | undefined,
  location: string,
): void {
  if (passphrase !== undefined || !existing.some(isEncryptedKey)) return
  throw new KeyUnusable(
    `the signing keys in ${location} are encrypted, but a new one would not be; set KITSEAL_KEY_PASSPHRASE to the ` +
      "service's passphrase or, if that is lost, to a new one on every node",
  )
}

export interface Passphrases {
  /** If set, keys are encrypted. A key that is not, or with `previous`, is encrypted when it is opened. */
  readonly passphrase?: string
  readonly previous?: string
}

/** `isStale`: it is to be written again, with the passphrase. */
export async function readStoredKey(
  key: CreatedKey,
  text: string,
  { passphrase, previous }: Passphrases,
  location: string,
): Promise<{ readonly privateKey: KeyObject; readonly isStale: boolean }> {
  try {
    const privateKey = await readKeyText(key, text, passphrase, location)
    return { privateKey, isStale: passphrase !== undefined && !isEncryptedKey(text) }
  } catch (error) {
    if (previous === undefined || passphrase === undefined) throw error
    return { privateKey: await readKeyText(key, text, previous, location), isStale: true }
  }
}

/** Parses a stored key and checks that it belongs to `key`. `location` is used in error messages. */
async function readKeyText(
  key: CreatedKey,
  text: string,
  passphrase: string | undefined,
  location: string,
): Promise<KeyObject> {
  const privateKey = isEncryptedKey(text)
    ? await decrypt(key, text, passphrase, location)
    : parsePem(text, location)
  if (publicX(privateKey) !== key.x) {
    throw new KeyUnusable(
      `${location} holds another key than ${key.kid}; restore the right one from a backup`,
    )
  }
  return privateKey
}

async function decrypt(
  key: CreatedKey,
  text: string,
  passphrase: string | undefined,
  location: string,
): Promise<KeyObject> {
  if (passphrase === undefined) {
    throw new KeyUnusable(
      `${location} is encrypted; set KITSEAL_KEY_PASSPHRASE to the passphrase it was written with`,
    )
  }
  const pkcs8 = await decryptKey(key.kid, text, passphrase)
  if (pkcs8 === undefined) {
    throw new KeyUnusable(
      `${location} cannot be decrypted: KITSEAL_KEY_PASSPHRASE is wrong, or the key is damaged`,
    )
  }
  return createPrivateKey({ key: Buffer.from(pkcs8), type: 'pkcs8', format: 'der' })
}

function parsePem(text: string, location: string): KeyObject {
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    throw new KeyUnusable(
      `${location} holds no private key; restore it from a backup, or rotate to a new key`,
      {
        cause: error,
      },
    )
  }
  throw new KeyUnusable(
    `${location} holds a key that is not Ed25519; restore it from a backup, or rotate to a new key`,
  )
}

function publicX(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key without x')
  return x
}
