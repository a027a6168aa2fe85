// docs/decisions/0151
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deriveKey } from './encrypted-key.ts'

/** Encrypts texts of the database that the service must read again: secrets of webhooks, and queued mail with its links. */
export interface SecretsAtRest {
  /** `row` names the row that holds the text, so that it cannot be moved to another. Without a passphrase, the text as it is. */
  seal(text: string, row: string): Promise<string>
  /** Undefined if it was encrypted with another passphrase, or for another row. A text that is not encrypted stays as it is. */
  open(stored: string, row: string): Promise<string | undefined>
  readonly isOn: boolean
}

export const isSealed = (stored: string): boolean => stored.startsWith(PREFIX)

const PREFIX = 'sealed1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** scrypt, as for signing keys: derived faster, these texts would be the quick way to guess the passphrase. */
const SALT = Buffer.from('kitseal secrets at rest')

export function secretsAtRest(passphrase: string | undefined): SecretsAtRest {
  let derived: Promise<Uint8Array> | undefined
  const key = (): Promise<Uint8Array> =>
    (derived ??= deriveKey(passphrase ?? '', SALT).then(
      (secret) => new Uint8Array(hkdfSync('sha256', secret, SALT, PREFIX, 32)),
    ))
  return {
    isOn: passphrase !== undefined,
    seal: async (text, row) => {
      if (passphrase === undefined) return text
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce).setAAD(Buffer.from(row))
      const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return PREFIX + Buffer.concat(sealed).toString('base64url')
    },
    open: async (stored, row) => {
      if (!isSealed(stored)) return stored
      if (passphrase === undefined) return undefined
      const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', await key(), bytes.subarray(0, NONCE_BYTES))
        decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
        return text + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
