import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isSealedKey, sealKey, unsealKey } from './sealed-key.ts'
import { type CreatedKey, KeyUnusable } from './signer.ts'

/** A private key as it is kept: sealed by a passphrase, or as plain PKCS#8 where there is none. */
export async function keyText(
  kid: string,
  privateKey: KeyObject,
  passphrase: string | undefined,
): Promise<string> {
  return passphrase === undefined
    ? privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    : sealKey(kid, privateKey.export({ type: 'pkcs8', format: 'der' }), passphrase)
}

/** Beside keys that are sealed none is made in the clear: the passphrase was forgotten, not given up. */
export function refuseInTheClear(
  kept: readonly string[],
  passphrase: string | undefined,
  place: string,
): void {
  if (passphrase !== undefined || !kept.some(isSealedKey)) return
  throw new KeyUnusable(
    `the signing keys in ${place} are encrypted, and a new one would not be; set KITSEAL_KEY_PASSPHRASE to the one ` +
      'that the service has, or to a new one at every node where that is lost',
  )
}

/** Reads it back, and proves that it belongs to `key`. `place` is where it was found, for the operator. */
export async function readKeyText(
  key: CreatedKey,
  text: string,
  passphrase: string | undefined,
  place: string,
): Promise<KeyObject> {
  const privateKey = isSealedKey(text) ? await unseal(key, text, passphrase, place) : parsePem(text, place)
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
  const pkcs8 = await unsealKey(key.kid, text, passphrase)
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
