import { sha256 } from '../../kit/src/crypto/sha256.ts'
import { cosignedMessage } from '../../kit/src/log/checkpoint.ts'
import {
  ED25519,
  ED25519_COSIGNATURE,
  type NoteKey,
  noteKey,
  type NoteSignature,
} from '../../kit/src/log/note.ts'
import { cosignatureBytes } from '../../kit/test/make-log.ts'
import { utf8 } from '../../kit/src/encoding/bytes.ts'
import { testKey } from './keys.ts'

/** The key of a log or a witness, derived from its name. For tests only. */
export interface LogSigner {
  readonly key: NoteKey
  /** Signs the text as it is, as a log does. */
  sign(text: string): NoteSignature
  /** Signs the text with a time, as a witness does. */
  cosign(text: string, seconds: number): NoteSignature
}

export const ORIGIN = 'issuer.example/log'
export const log = logSigner(ORIGIN)
/** Another key that uses the name of the log. */
export const otherLog = logSigner('other.example/log')
export const witnesses = ['w1.example', 'w2.example', 'w3.example'].map((name) => witness(name)) as [
  LogSigner,
  LogSigner,
  LogSigner,
]
export const strangers = ['w4.example', 'w5.example'].map((name) => witness(name))

function logSigner(name: string, seed = ''): LogSigner {
  return signer(name, ED25519, seed)
}

function witness(name: string): LogSigner {
  return signer(name, ED25519_COSIGNATURE, '')
}

function signer(name: string, type: number, seed: string): LogSigner {
  const { publicKey, sign } = testKey(`log ${type} ${name} ${seed}`)
  const key = noteKey(name, type, publicKey, sha256)
  const by = (signature: Uint8Array): NoteSignature => ({ name, keyId: key.keyId, signature })
  return {
    key,
    sign: (text) => by(sign(utf8(text))),
    cosign: (text, seconds) => by(cosignatureBytes(seconds, sign(cosignedMessage(text, seconds)))),
  }
}
