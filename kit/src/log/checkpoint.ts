import { verifySignature } from '../crypto/ed25519.ts'
import { copyInput, utf8 } from '../encoding/bytes.ts'
import type { Host } from '../host.ts'
import {
  ED25519_COSIGNATURE,
  hashText,
  malformed,
  type NoteKey,
  parseDecimal,
  parseHash,
  parseNote,
  signaturesBy,
  type SignedNote,
  verifyNote,
} from './note.ts'
import { isQuorumMet, type LogPolicy } from './tlog-policy.ts'

/** The size and root hash of a log at one time. */
export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/** The state of a log: its size and the root hash of its tree (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** Identifies the log. */
  readonly origin: string
  /** Lines that are signed but mean nothing here. */
  readonly extensions: readonly string[]
}

export interface SignedCheckpoint extends Checkpoint, SignedNote {}

/** Parses a signed checkpoint. Throws LogFormatError. Nothing is verified: use verifyCheckpoint(). */
export function parseCheckpoint(bytes: Uint8Array): SignedCheckpoint {
  const note = parseNote(bytes)
  const named = new Set(note.signatures.map(({ name, keyId }) => `${name}+${keyId}`))
  if (named.size < note.signatures.length) malformed('the checkpoint has two signatures of one key')
  return { ...note, ...parseText(note.text) }
}

function parseText(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n')
  if (origin === '' || utf8(origin).length > 255) malformed('the origin is empty or longer than 255 bytes')
  if (extensions.includes('')) malformed('the checkpoint has an empty line')
  return {
    origin,
    size: parseDecimal(size, 'the size of the log'),
    root: parseHash(root, 'the root hash of the log'),
    extensions,
  }
}

/**
 * The text of a checkpoint, which the log signs. Throws LogFormatError for a value that cannot be written.
 */
export function checkpointText({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string {
  const text = `${origin}\n${size}\n${hashText(root)}\n`
  if (parseText(text).origin !== origin) malformed('the origin contains a line feed')
  return text
}

/**
 * What a witness signs (C2SP tlog-cosignature, type 0x04): at this time, this was the largest tree of the log that it
 * had seen.
 */
export function cosignedMessage(checkpoint: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${checkpoint}`)
}

/** The time of a valid cosignature, in seconds; undefined for any other. */
export async function verifyCosignature(
  key: NoteKey,
  checkpoint: string,
  cosignature: Uint8Array,
  host: Host,
): Promise<number | undefined> {
  if (cosignature.length !== 72) return undefined
  const seconds = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0)
  const time = Number(seconds)
  // A witness never states the time 0.
  if (time === 0 || seconds > Number.MAX_SAFE_INTEGER) return undefined
  const message = cosignedMessage(checkpoint, time)
  const { valid } = await verifySignature(key.publicKey, message, cosignature.subarray(8), host)
  return valid ? time : undefined
}

/** What a policy says about a checkpoint. */
export type CheckpointStatus =
  /** A key of the policy is named with a signature that is not its own. */
  | { readonly is: 'forged'; readonly signer: string }
  /** No log of the policy signed it. */
  | { readonly is: 'unknown_log' }
  | {
      readonly is: 'signed'
      readonly cosigned: readonly Cosigner[]
      readonly quorumMet: boolean
      /** The first time, in seconds, at which the quorum was met; undefined if none is required or it is not met. */
      readonly since: number | undefined
    }

export interface Cosigner {
  /** The name of the witness in the policy. */
  readonly name: string
  /** When it cosigned, in seconds. */
  readonly time: number
}

/** Verifies the signatures of a checkpoint by a policy. Signatures of unknown keys are ignored. */
export async function verifyCheckpoint(
  given: SignedCheckpoint,
  givenPolicy: LogPolicy,
  host: Host,
): Promise<CheckpointStatus> {
  const [checkpoint, policy] = [copyInput(given), copyInput(givenPolicy)]
  const logKeys = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin)
  const signers = await verifyNote(checkpoint, logKeys, host)
  if (signers === undefined) return { is: 'forged', signer: checkpoint.origin }
  const cosigned: Cosigner[] = []
  for (const { name, key } of policy.witnesses)
    for (const { signature } of key.type === ED25519_COSIGNATURE ? signaturesBy(checkpoint, key) : []) {
      const time = await verifyCosignature(key, checkpoint.text, signature, host)
      if (time === undefined) return { is: 'forged', signer: key.name }
      cosigned.push({ name, time })
    }
  if (signers.length === 0) return { is: 'unknown_log' }
  const names = new Set<string>()
  const quorumMet = isQuorumMet(policy.quorum, new Set(cosigned.map(({ name }) => name)))
  const since = cosigned
    .toSorted((a, b) => a.time - b.time)
    .find(({ name }) => isQuorumMet(policy.quorum, names.add(name)))?.time
  return { is: 'signed', cosigned, quorumMet, since: policy.quorum === undefined ? undefined : since }
}
