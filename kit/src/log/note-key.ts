import { base64, fromBase64 } from '../encoding/base64.ts'
import { hex } from '../encoding/hex.ts'
import type { Digest } from '../encoding/merkle.ts'
import { utf8 } from '../encoding/utf8.ts'
import { malformed } from './log-format.ts'

/** The key types that are known, with the length of their public keys. */
const PUBLIC_KEY_BYTES: Readonly<Record<number, number>> = { 0x01: 32, 0x04: 32, 0x06: 1312 }

/** Signs the text of a note. */
export const ED25519 = 0x01
/** Cosigns a checkpoint with a time. */
export const ED25519_COSIGNATURE = 0x04
/** Recognized in policies, but its signatures are not verified and never count. */
export const ML_DSA_44_COSIGNATURE = 0x06

/** A public key for signed notes. Name and ID identify it together. */
export interface NoteKey {
  readonly name: string
  /** Four bytes in hex: a hint to find the key, not a hash to trust. */
  readonly keyId: string
  readonly type: number
  readonly publicKey: Uint8Array
}

/** The key of a log (type 0x01) or a witness (type 0x04). */
export function noteKey(name: string, type: number, publicKey: Uint8Array, digest: Digest): NoteKey {
  if (!isKeyName(name)) malformed('the name of the key is empty or contains white space or +')
  if (publicKey.length !== PUBLIC_KEY_BYTES[type]) malformed('the type or length of the key is not supported')
  const keyId = hex(digest(Uint8Array.of(...utf8(name), 10, type, ...publicKey)).subarray(0, 4))
  return { name, keyId, type, publicKey }
}

/** The key as text: NAME+KEYID+BASE64. */
export function vkey({ name, keyId, type, publicKey }: NoteKey): string {
  return `${name}+${keyId}+${base64(Uint8Array.of(type, ...publicKey))}`
}

/** Parses a vkey. Throws LogFormatError, also if the key ID does not belong to the key. */
export function parseVkey(text: string, digest: Digest): NoteKey {
  // Base64 contains + too, so only the first two separate.
  const [, name, keyId, encoded] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(text) ?? []
  const bytes = encoded === undefined ? undefined : fromBase64(encoded)
  if (name === undefined || bytes?.[0] === undefined) malformed('the key is not NAME+KEYID+BASE64')
  const key = noteKey(name, bytes[0], bytes.slice(1), digest)
  return key.keyId === keyId ? key : malformed(`the key ID ${keyId} is not that of the key, ${key.keyId}`)
}

/** Not empty, no + and no Unicode White_Space: \s lacks U+0085 and includes U+FEFF, which is none. */
export function isKeyName(name: string): boolean {
  return /^[^+\p{White_Space}]+$/u.test(name)
}
