import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isEncryptedKey, encryptKey, decryptKey } from './encrypted-key.ts'
import { type CreatedKey, KeyUnusable } from './signer.ts'

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
  kept: readonly string[],
  passphrase: string | undefined,
  place: string,
): void {
  if (passphrase !== undefined || !kept.some(isEncryptedKey)) return
  throw new KeyUnusable(
    `the signing keys in ${place} are encrypted, but a new one would not be; set KITSEAL_KEY_PASSPHRASE to the ` +
      "service's passphrase or, if that is lost, to a new one on every node",
  )
}

/** Parses a stored key and checks that it belongs to `key`. `place` is used in error messages. */
export async function readKeyText(
  key: CreatedKey,
  text: string,
  passphrase: string | undefined,
  place: string,
): Promise<KeyObject> {
  const privateKey = isEncryptedKey(text) ? await unseal(key, text, passphrase, place) : parsePem(text, place)
  if (publicX(privateKey) !== key.x) {
    throw new KeyUnusable(`${place} holds another key than ${key.kid}; put back what belongs to it`)
  }
  return privateKey
}

async function unseal(
  key: CreatedKey,
  text: string,
  passphrase: string | undefined,
  place: string,
): Promise<KeyObject> {
  if (passphrase === undefined) {
    throw new KeyUnusable(
      `${place} is encrypted; set KITSEAL_KEY_PASSPHRASE to the passphrase it was written with`,
    )
  }
  const pkcs8 = await decryptKey(key.kid, text, passphrase)
  if (pkcs8 === undefined) {
    throw new KeyUnusable(
      `${place} does not open: KITSEAL_KEY_PASSPHRASE is not the passphrase it was written with, or it is damaged`,
    )
  }
  return createPrivateKey({ key: Buffer.from(pkcs8), type: 'pkcs8', format: 'der' })
}

function parsePem(text: string, place: string): KeyObject {
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    throw new KeyUnusable(`${place} holds no private key; put it back, or rotate to a new key`, {
      cause: error,
    })
  }
  throw new KeyUnusable(`${place} holds a key that is not Ed25519; put it back, or rotate to a new key`)
}

export function publicX(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key without x')
  return x
}
