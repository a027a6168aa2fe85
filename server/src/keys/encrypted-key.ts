import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * A private key, encrypted for its file: scrypt stretches the passphrase, AES-256-GCM encrypts and authenticates.
 * The platform's own encrypted PKCS#8 stretches with 2,048 rounds of PBKDF2 and can't tell a damaged file from a
 * wrong passphrase early; this can be tuned, and fails loudly.
 */
interface SealedKey {
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
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt), nonce)
  cipher.setAAD(boundTo(kid))
  const sealed = Buffer.concat([cipher.update(pkcs8), cipher.final(), cipher.getAuthTag()])
  const file: SealedKey = {
    format: FORMAT,
    kid,
    salt: salt.toString('base64url'),
    nonce: nonce.toString('base64url'),
    sealed: sealed.toString('base64url'),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The PKCS#8 bytes, or undefined where the passphrase is not the one, or the file was changed. */
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
  const key = await stretch(passphrase, Buffer.from(file.salt, 'base64url'))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(boundTo(kid))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

export function isEncryptedKey(text: string): boolean {
  return text.trimStart().startsWith('{')
}

function parse(text: string): SealedKey | undefined {
  try {
    const file = JSON.parse(text) as Partial<Record<keyof SealedKey, unknown>>
    const strings = [file.salt, file.nonce, file.sealed].every((value) => typeof value === 'string')
    return strings && file.format === FORMAT ? (file as SealedKey) : undefined
  } catch {
    return undefined
  }
}

/** The file of one key can't be put in the place of another's. */
function boundTo(kid: string): Uint8Array {
  return Buffer.from(`${FORMAT}\n${kid}`)
}

const scryptAsync = promisify<string, Uint8Array, number, typeof COST, Buffer>(scrypt)

function stretch(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return scryptAsync(passphrase.normalize('NFC'), salt, 32, COST)
}
