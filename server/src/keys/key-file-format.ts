import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
  scryptSync,
} from 'node:crypto'
import { thumbprint } from '@kitseal/kit/internal'
import { type CreatedKey, type KeyProvider, KeyUnusable } from './signer.ts'
import { promisify } from 'node:util'

/** Where keys are stored, encrypted with the passphrase or as PKCS#8. */
interface KeyPlace {
  readonly name: 'file' | 'database'
  /** For messages: the place, and one key in it. */
  readonly location: string
  locate(reference: string): string
  referenceOf(kid: string): string
  /** The texts of the keys that are there. */
  existing(): Promise<readonly string[]>
  /** Throws `KeyUnusable`. */
  read(reference: string): Promise<string>
  /** Durable once it resolves. Replaces what is there. */
  write(reference: string, text: string): Promise<void>
  remove(reference: string): Promise<void>
}

export function storedKeys(place: KeyPlace, passphrases: Passphrases): KeyProvider {
  const { passphrase } = passphrases
  return {
    name: place.name,
    async create() {
      const { privateKey } = generateKeyPairSync('ed25519')
      const x = publicX(privateKey)
      const kid = thumbprint(x)
      requirePassphrase(await place.existing(), passphrase, place.location)
      const reference = place.referenceOf(kid)
      await place.write(reference, await keyText(kid, privateKey, passphrase))
      return { kid, x, reference }
    },
    async open(key) {
      const { kid, x, reference } = key
      const text = await place.read(reference)
      const { privateKey, isStale } = await readStoredKey(key, text, passphrases, place.locate(reference))
      if (isStale) await place.write(reference, await keyText(kid, privateKey, passphrase))
      return { kid, x, sign: async (message) => sign(null, message, privateKey) }
    },
    destroy: (reference) => place.remove(reference),
    close: async () => {},
  }
}

/** The stored form of a private key: encrypted with the passphrase, or plain PKCS#8 without one. */
async function keyText(kid: string, privateKey: KeyObject, passphrase: string | undefined): Promise<string> {
  return passphrase === undefined
    ? privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    : encryptKey(kid, privateKey.export({ type: 'pkcs8', format: 'der' }), passphrase)
}

/** Rejects an unencrypted key if others are encrypted: the passphrase was probably forgotten. */
function requirePassphrase(existing: readonly string[], passphrase: string | undefined, location: string) {
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
async function readStoredKey(
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
async function readKeyText(key: CreatedKey, text: string, passphrase: string | undefined, location: string) {
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

async function decrypt(key: CreatedKey, text: string, passphrase: string | undefined, location: string) {
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
      { cause: error },
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

/**
 * An encrypted private key: scrypt derives the key from the passphrase, AES-256-GCM encrypts and authenticates.
 * Node's encrypted PKCS#8 is weaker: it derives with 2,048 rounds of PBKDF2 and does not authenticate.
 */
interface EncryptedKey {
  readonly format: typeof FORMAT
  readonly kid: string
  readonly salt: string
  readonly nonce: string
  readonly sealed: string
}

const FORMAT = 'kitseal-sealed-key-1: scrypt N=131072 r=8 p=1, AES-256-GCM'
const COST = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const
const TAG_BYTES = 16
export const NONCE_BYTES = 12

async function encryptKey(kid: string, pkcs8: Uint8Array, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = sealBytes(await deriveKey(passphrase, salt), nonce, pkcs8, additionalData(kid))
  const file: EncryptedKey = {
    format: FORMAT,
    kid,
    salt: salt.toString('base64url'),
    nonce: nonce.toString('base64url'),
    sealed: sealed.toString('base64url'),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Returns the PKCS#8 bytes, or undefined if the passphrase is wrong or the file was modified. */
async function decryptKey(kid: string, text: string, passphrase: string): Promise<Uint8Array | undefined> {
  const file = parse(text)
  if (file === undefined) return undefined
  const sealed = Buffer.from(file.sealed, 'base64url')
  const nonce = Buffer.from(file.nonce, 'base64url')
  if (sealed.length <= TAG_BYTES || nonce.length !== NONCE_BYTES) return undefined
  const key = await deriveKey(passphrase, Buffer.from(file.salt, 'base64url'))
  return openBytes(key, nonce, sealed, additionalData(kid))
}

/** AES-256-GCM, with the tag at the end. `about` is authenticated and not part of it. */
export function sealBytes(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, about: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Undefined with another key, or if it was modified. */
export function openBytes(
  key: Uint8Array,
  nonce: Uint8Array,
  sealed: Uint8Array,
  about: Uint8Array,
): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(about).setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

export function isEncryptedKey(text: string): boolean {
  return text.trimStart().startsWith('{')
}

function parse(text: string): EncryptedKey | undefined {
  try {
    const file = JSON.parse(text) as Partial<Record<keyof EncryptedKey, unknown>>
    const strings = [file.salt, file.nonce, file.sealed].every((value) => typeof value === 'string')
    return strings && file.format === FORMAT ? (file as EncryptedKey) : undefined
  } catch {
    return undefined
  }
}

/** Additional data that ties the file to its key, so that it cannot replace the file of another key. */
function additionalData(kid: string): Uint8Array {
  return Buffer.from(`${FORMAT}\n${kid}`)
}

const scryptAsync = promisify<string, Uint8Array, number, typeof COST, Buffer>(scrypt)

export const deriveKeyNow = (passphrase: string, salt: Uint8Array): Buffer =>
  scryptSync(passphrase.normalize('NFC'), salt, 32, COST)

export function deriveKey(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return scryptAsync(passphrase.normalize('NFC'), salt, 32, COST)
}
