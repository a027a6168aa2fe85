import { createCipheriv, createDecipheriv, randomBytes, scrypt, scryptSync } from 'node:crypto'
import { promisify } from 'node:util'

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

export async function encryptKey(kid: string, pkcs8: Uint8Array, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce)
  cipher.setAAD(additionalData(kid))
  const sealed = Buffer.concat([cipher.update(pkcs8), cipher.final(), cipher.getAuthTag()])
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
export async function decryptKey(
  kid: string,
  text: string,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const file = parse(text)
  if (file === undefined) return undefined
  const sealed = Buffer.from(file.sealed, 'base64url')
  const nonce = Buffer.from(file.nonce, 'base64url')
  if (sealed.length <= TAG_BYTES || nonce.length !== 12) return undefined
  const key = await deriveKey(passphrase, Buffer.from(file.salt, 'base64url'))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(additionalData(kid))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
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
