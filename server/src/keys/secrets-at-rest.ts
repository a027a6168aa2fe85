import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deriveKey } from './encrypted-key.ts'

/** Encrypts texts of the database that the service must read again: secrets of webhooks, and queued mail with its links. */
export interface SecretsAtRest {
  /** `row` names the row that holds the text, so that it cannot be moved to another. Without a passphrase, the text as it is. */
  seal(text: string, row: string): Promise<string>
  /** Undefined if it was encrypted with another passphrase, or for another row. A text that is not encrypted stays as it is. */
  open(stored: string, row: string): Promise<string | undefined>
  readonly isOn: boolean
  /** Whether `open` also reads what was encrypted with a previous passphrase. */
  readonly hasPrevious: boolean
}

export const isSealed = (stored: string): boolean => stored.startsWith(PREFIX)

const PREFIX = 'sealed1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** scrypt, as for signing keys: derived faster, these texts would be the quick way to guess the passphrase. */
const SALT = Buffer.from('kitseal secrets at rest')

type Key = () => Promise<Uint8Array>

function keyOf(passphrase: string): Key {
  let derived: Promise<Uint8Array> | undefined
  return () =>
    (derived ??= deriveKey(passphrase, SALT).then(
      (secret) => new Uint8Array(hkdfSync('sha256', secret, SALT, PREFIX, 32)),
    ))
}

export function secretsAtRest(passphrase: string | undefined, previous?: string): SecretsAtRest {
  const keys = [passphrase, previous].flatMap((text) => (text === undefined ? [] : [keyOf(text)]))
  const [key] = keys
  return {
    isOn: passphrase !== undefined,
    hasPrevious: previous !== undefined,
    seal: async (text, row) => {
      if (passphrase === undefined || key === undefined) return text
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce).setAAD(Buffer.from(row))
      const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return PREFIX + Buffer.concat(sealed).toString('base64url')
    },
    open: async (stored, row) => {
      if (!isSealed(stored)) return stored
      const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url')
      for (const each of keys) {
        const text = decrypted(await each(), bytes, row)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

function decrypted(key: Uint8Array, bytes: Buffer, row: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
    return text + decipher.final('utf8')
  } catch {
    return undefined
  }
}
