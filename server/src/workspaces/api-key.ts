import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKeyId } from '../identifiers.ts'

/** A key as it is shown, once. Letters and digits, so that a double click takes the whole of it. */
export interface NewApiKey {
  readonly keyId: ApiKeyId
  /** `ks_` + key id + `_` + 256 random bits + check characters. */
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
  const keyId = `key_${inDigits(random(16), ID_LENGTH)}` as ApiKeyId
  const body = `ks_${keyId}_${inDigits(random(32), SECRET_LENGTH)}`
  const text = body + checkOf(body)
  return { keyId, text, sha256: apiKeyHash(text) }
}

/** The id that a key names; undefined where the text is no key: a slip of the hand costs no look-up. */
export function readApiKey(text: string): ApiKeyId | undefined {
  const [, keyId, check] = KEY.exec(text) ?? []
  return keyId !== undefined && check === checkOf(text.slice(0, -CHECK_LENGTH))
    ? (keyId as ApiKeyId)
    : undefined
}

/** A key has 256 random bits: no salt and no slow hash are needed to keep it from being guessed. */
export function apiKeyHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function inDigits(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < length; at += 1) {
    text = DIGITS.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text
}

function checkOf(body: string): string {
  return inDigits(new Uint8Array(new Uint32Array([crc32(body)]).buffer).toReversed(), CHECK_LENGTH)
}
