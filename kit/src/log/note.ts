import { verifySignature } from '../crypto/ed25519.ts'
import { base64, copyInput, fromBase64, fromHex, fromUtf8, hex, utf8 } from '../encoding/bytes.ts'
import type { Digest } from '../encoding/merkle.ts'
import type { Host } from '../host.ts'

/** A note, checkpoint, proof, policy, tile or leaf that does not have its exact form. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError'
}

export function malformed(problem: string): never {
  throw new LogFormatError(problem)
}

/** A decimal without sign or leading zeros, at most 2^53 − 1. */
export function parseDecimal(text: string, what: string): number {
  // Sixteen digits bound the value before it is converted.
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) malformed(`${what} is not a decimal number in range`)
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : malformed(`${what} is larger than 2^53 - 1`)
}

/** A SHA-256 in base64. */
export function parseHash(text: string, what: string): Uint8Array {
  const hash = text.length === 44 ? fromBase64(text) : undefined
  return hash?.length === 32 ? hash : malformed(`${what} is not a SHA-256 in base64`)
}

export function hashText(hash: Uint8Array): string {
  return hash.length === 32 ? base64(hash) : malformed('a hash is not 32 bytes')
}

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
function isKeyName(name: string): boolean {
  return /^[^+\p{White_Space}]+$/u.test(name)
}

const LIMIT_BYTES = 1_000_000
const LIMIT_SIGNATURES = 100

/** Text with signatures (C2SP signed-note). Nothing is verified yet. */
export interface SignedNote {
  /** What is signed: the text with its last line feed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

export interface NoteSignature {
  readonly name: string
  /** Four bytes in hex. */
  readonly keyId: string
  readonly signature: Uint8Array
}

/** Parses a signed note. Throws LogFormatError; each note has one spelling. */
export function parseNote(bytes: Uint8Array): SignedNote {
  if (bytes.length > LIMIT_BYTES) malformed(`the note is larger than ${LIMIT_BYTES} bytes`)
  const note = fromUtf8(bytes)
  // eslint-disable-next-line no-control-regex
  if (note === undefined || note.startsWith('\ufeff') || /[\0-\x09\x0b-\x1f]/.test(note))
    malformed('the note is not UTF-8, or contains a control character or a byte order mark')
  // The text may contain empty lines, the signatures may not.
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n'))
    malformed('the note has no signatures, or does not end with a line feed')
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > LIMIT_SIGNATURES) malformed(`the note has more than ${LIMIT_SIGNATURES} signatures`)
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) }
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = '', encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded)
  if (dash !== '—' || !isKeyName(name) || more.length > 0 || bytes === undefined || bytes.length < 5)
    malformed('a signature line is not "— NAME BASE64"')
  return { name, keyId: hex(bytes.subarray(0, 4)), signature: bytes.slice(4) }
}

/** Serializes a signed note. Throws LogFormatError for anything that parseNote() would not read back. */
export function noteBytes({ text, signatures }: SignedNote): Uint8Array {
  const note = `${text}\n${signatures.map(signatureLine).join('')}`
  const bytes = utf8(note)
  if (parseNote(bytes).text !== text || fromUtf8(bytes) !== note)
    malformed('the text of the note does not end with a line feed, or is not Unicode')
  return bytes
}

/** One signature line of a note, as a witness returns it. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  const id = fromHex(keyId)
  if (id?.length !== 4) malformed('a key ID is not four bytes in hex')
  return `— ${name} ${base64(Uint8Array.of(...id, ...signature))}\n`
}

/** The signatures that claim to be by a key. Nothing is verified. */
export function signaturesBy(note: SignedNote, key: NoteKey): readonly NoteSignature[] {
  return note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId)
}

/**
 * The given Ed25519 keys (type 0x01) that signed a note. Signatures of other keys are ignored; a wrong signature of a
 * given key rejects the note: the result is undefined.
 */
export async function verifyNote(
  given: SignedNote,
  givenKeys: readonly NoteKey[],
  host: Host,
): Promise<readonly NoteKey[] | undefined> {
  const [note, keys] = [copyInput(given), copyInput(givenKeys)]
  const message = utf8(note.text)
  const signers: NoteKey[] = []
  for (const key of keys) {
    if (key.type !== ED25519) continue
    const signatures = signaturesBy(note, key)
    for (const { signature } of signatures) {
      const { valid } = await verifySignature(key.publicKey, message, signature, host)
      if (!valid) return undefined
    }
    if (signatures.length > 0) signers.push(key)
  }
  return signers
}
