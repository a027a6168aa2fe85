import { copyInput } from '../copy-input.ts'
import { verifySignature } from '../crypto/ed25519.ts'
import { base64, fromBase64 } from '../encoding/base64.ts'
import { fromHex, hex } from '../encoding/hex.ts'
import { fromUtf8, utf8 } from '../encoding/utf8.ts'
import type { Host } from '../host.ts'
import { malformed } from './log-format.ts'
import { ED25519, isKeyName, type NoteKey } from './note-key.ts'

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
