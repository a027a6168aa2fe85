import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { sha256 } from '../src/crypto/sha256.ts'
import { copyInput, fromBase64url, sameBytes, utf8 } from '../src/encoding/bytes.ts'
import { inZipOrder } from '../src/encoding/zip-layout.ts'
import { isEnvelopePath, LOG_PROOF_PATH, TIME_STAMP_PATH } from '../src/envelope.ts'
import type { Host } from '../src/host.ts'
import { inclusionProof, leafHash, merkleRoot } from '../src/encoding/merkle.ts'
import { checkpointText, cosignedMessage } from '../src/log/checkpoint.ts'
import { ED25519, ED25519_COSIGNATURE, type NoteKey, noteKey, type NoteSignature } from '../src/log/note.ts'
import { parseTlogProof, provesReceipt, type TlogProof, tlogProofBytes } from '../src/log/tlog-proof.ts'
import { measured, type MeasuredFile, type SealedKit } from '../src/seal.ts'
import { parseTimeStamp, type TimeStamp } from '../src/time/time-stamp.ts'

/** The bytes of a cosignature in a note: the time in seconds, then the Ed25519 signature. */
export function cosignatureBytes(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + signature.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
  bytes.set(signature, 8)
  return bytes
}

/** A signer of notes whose private key follows from its name and type. */
export interface NoteSigner {
  readonly key: NoteKey
  sign(text: string): NoteSignature
  cosign(text: string, time: number): NoteSignature
}

export const testLogKey = (origin: string, secret = ''): NoteSigner => signer(origin, ED25519, secret)
export const testWitness = (name: string): NoteSigner => signer(name, ED25519_COSIGNATURE)

function signer(name: string, type: number, secret = ''): NoteSigner {
  const seed = sha256(utf8(`${type} ${name}${secret}`))
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const key = noteKey(name, type, fromBase64url(x!)!, sha256)
  const by = (signature: Uint8Array): NoteSignature => ({ name, keyId: key.keyId, signature })
  return {
    key,
    sign: (text) => by(new Uint8Array(sign(null, utf8(text), privateKey))),
    cosign: (text, time) => by(cosignatureBytes(time, sign(null, cosignedMessage(text, time), privateKey))),
  }
}

/** Shortly after the kits of make-kit.ts are issued. */
const LOGGED_AT = Date.parse('2026-03-04T05:06:08Z') / 1000

export interface LoggedAt {
  readonly index: number
  readonly size: number
  readonly log: NoteSigner
  readonly witnesses?: readonly NoteSigner[]
  readonly time?: number
}

/** A proof that an entry is in a log whose other entries are made up. */
export function proofOf(
  entry: Uint8Array,
  { index, size, log, witnesses = [], time = LOGGED_AT }: LoggedAt,
): Uint8Array {
  const leaves = Array.from({ length: size }, (_, at) =>
    leafHash(at === index ? entry : utf8(`entry ${at}`), sha256),
  )
  const text = checkpointText({ origin: log.key.name, size, root: merkleRoot(leaves, sha256) })
  const signatures = [log.sign(text), ...witnesses.map((witness) => witness.cosign(text, time))]
  return tlogProofBytes({
    index,
    hashes: inclusionProof(leaves, index, sha256),
    checkpoint: { text, signatures },
  })
}

/**
 * Adds the log proof to a sealed kit, and the time-stamp of its checkpoint, if there is one. Throws if they are not for this
 * kit. Replaces those that the kit has.
 */
export function addLogProof(
  sealed: SealedKit,
  proofBytes: Uint8Array,
  host: Host,
  timeStampBytes?: Uint8Array,
): SealedKit {
  const { proof, timeStamp } = copyInput({ proof: proofBytes, timeStamp: timeStampBytes })
  const parsed = parseTlogProof(proof)
  if (!provesReceipt(parsed, sealed.receipt, host.digest))
    throw new Error('the log proof is not for the receipt of this kit')
  if (timeStamp !== undefined && !isFor(parseTimeStamp(timeStamp), parsed, host))
    throw new Error('the time-stamp is not for the checkpoint in the log proof')
  const added = [
    measured(LOG_PROOF_PATH, proof, host),
    ...(timeStamp === undefined ? [] : [measured(TIME_STAMP_PATH, timeStamp, host)]),
  ]
  const others = sealed.files.filter(isOther)
  const inEnvelope = others.filter(({ path }) => isEnvelopePath(path))
  return {
    ...sealed,
    generated: [...sealed.generated.filter(isOther), ...added],
    files: inZipOrder<MeasuredFile>(
      others.filter(({ path }) => !isEnvelopePath(path)),
      [...inEnvelope, ...added],
    ),
  }
}

const isOther = ({ path }: { readonly path: string }): boolean =>
  path !== LOG_PROOF_PATH && path !== TIME_STAMP_PATH

function isFor({ imprint }: TimeStamp, { checkpoint }: TlogProof, host: Host): boolean {
  return imprint.algorithm === 'SHA-256' && sameBytes(imprint.hash, host.digest(checkpoint.text))
}
