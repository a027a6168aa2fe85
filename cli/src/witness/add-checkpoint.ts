import {
  cosignatureBytes,
  cosignedMessage,
  isConsistent,
  LogFormatError,
  noteBytes,
  type NoteKey,
  type NoteSignature,
  signatureLine,
  type SignedCheckpoint,
  verifyNote,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { type AddCheckpointRequest, parseAddCheckpoint } from './add-checkpoint-request.ts'
import type { CosignedTree, WitnessStore } from './witness-store.ts'

export interface Witness {
  /** Of type 0x04. */
  readonly key: NoteKey
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** The keys of each log, by origin. */
  readonly logs: ReadonlyMap<string, readonly NoteKey[]>
  readonly store: WitnessStore
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called with proof that a log has two histories: two signed checkpoints of one size with different roots. */
  readonly onFork: (cosigned: string, refused: string) => void
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** The default is text/plain. */
  readonly contentType?: string
}

/** 2026-01-01. A machine without a battery starts in 1970 until it has the time. */
const EARLIEST_MS = Date.UTC(2026, 0, 1)

/** Cosigns a checkpoint if its tree contains the largest one cosigned before (C2SP tlog-witness). */
export async function addCheckpoint(witness: Witness, body: Uint8Array): Promise<Answer> {
  const request = parse(body)
  if (request instanceof LogFormatError) return refuse(400, request.message)
  const { oldSize, checkpoint } = request
  const { origin, size, root } = checkpoint
  const keys = witness.logs.get(origin)
  if (keys === undefined) return refuse(404, 'this witness does not cosign for this log')
  const signers = await verifyNote(checkpoint, keys, nodeHost)
  if (signers === undefined || signers.length === 0)
    return refuse(403, 'the checkpoint has no valid signature of the log')
  if (oldSize > size) return refuse(400, 'the old size is larger than the checkpoint')
  const last = witness.store.last(origin)
  if (oldSize !== last.size) return sizeIs(last.size)
  const logSignatures = checkpoint.signatures.filter(({ name, keyId }) =>
    signers.some((key) => key.name === name && key.keyId === keyId),
  )
  if (last.note !== undefined && isFork(last, checkpoint))
    witness.onFork(last.note, noteText(checkpoint.text, logSignatures))
  const problem = inconsistency(last, request)
  if (problem !== undefined) return refuse(422, problem)
  if (witness.now() < EARLIEST_MS) return refuse(503, 'the clock of this witness is wrong')
  const cosignature = await cosign(witness, checkpoint.text)
  const note = noteText(checkpoint.text, [...logSignatures, cosignature])
  // Only what is on disk is handed out: otherwise a crash could make the witness forget it.
  if (!witness.store.replace(origin, last, { size, root, note }))
    return sizeIs(witness.store.last(origin).size)
  return { status: 200, body: signatureLine(cosignature) }
}

function parse(body: Uint8Array): AddCheckpointRequest | LogFormatError {
  try {
    return parseAddCheckpoint(body)
  } catch (error) {
    if (error instanceof LogFormatError) return error
    throw error
  }
}

function refuse(status: number, problem: string): Answer {
  return { status, body: `${problem}\n` }
}

/** Only this content type says that the body is the size that the log has to start from. */
function sizeIs(size: number): Answer {
  return { status: 409, body: `${size}\n`, contentType: 'text/x.tlog.size' }
}

function isFork(last: CosignedTree, { size, root }: SignedCheckpoint): boolean {
  return size === last.size && Buffer.compare(root, last.root) !== 0
}

function inconsistency(
  last: CosignedTree,
  { oldSize, proof, checkpoint }: AddCheckpointRequest,
): string | undefined {
  if (isFork(last, checkpoint)) return 'the root hash differs from the one cosigned for this size'
  if (oldSize > 0)
    return isConsistent(last, checkpoint, proof, nodeHost.digest)
      ? undefined
      : 'the consistency proof is not valid'
  return proof.length === 0 ? undefined : 'from size 0 there is nothing to prove: leave out the proof'
}

async function cosign({ key, sign, now }: Witness, text: string): Promise<NoteSignature> {
  const time = Math.floor(now() / 1000)
  const signature = await sign(cosignedMessage(text, time))
  return { name: key.name, keyId: key.keyId, signature: cosignatureBytes(time, signature) }
}

function noteText(text: string, signatures: readonly NoteSignature[]): string {
  return Buffer.from(noteBytes({ text, signatures })).toString()
}
