import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKeyId } from '../runtime/identifiers.ts'

/** A new key, which is shown once. Letters, digits and underscores, so that a double click selects all of it. */
export interface NewApiKey {
  readonly keyId: ApiKeyId
  /** `ks_` + key ID + `_` + 256 random bits + check characters. */
  readonly text: string
  readonly sha256: string
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 22
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const KEY = new RegExp(
  `^ks_(key_[0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}([0-9A-Za-z]{${CHECK_LENGTH}})$`,
)

export function makeApiKey(random: (size: number) => Uint8Array = randomBytes): NewApiKey {
  const keyId = `key_${base62(random(16), ID_LENGTH)}` as ApiKeyId
  const body = `ks_${keyId}_${base62(random(32), SECRET_LENGTH)}`
  const text = body + checksum(body)
  return { keyId, text, sha256: apiKeyHash(text) }
}

/** The ID in an API key. Undefined if the text is malformed, which avoids a query for typos. */
export function readApiKey(text: string): ApiKeyId | undefined {
  const [, keyId, check] = KEY.exec(text) ?? []
  return keyId !== undefined && check === checksum(text.slice(0, -CHECK_LENGTH))
    ? (keyId as ApiKeyId)
    : undefined
}

/** With 256 random bits, a key needs neither salt nor a slow hash. */
export function apiKeyHash(text: string): string {
  return hash('sha256', text, 'hex')
}

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < length; at += 1) {
    text = DIGITS.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text
}

/** Computed for each request, so it avoids BigInt. */
function checksum(body: string): string {
  let value = crc32(body)
  let text = ''
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    text = DIGITS.charAt(value % 62) + text
    value = Math.floor(value / 62)
  }
  return text
}
