import { fromBase64, LogFormatError, parseCheckpoint, type SignedCheckpoint } from '@kitseal/kit'

const MAX_PROOF_HASHES = 63

/** The body of a request to cosign (C2SP tlog-witness, add-checkpoint). Nothing is verified. */
export interface AddCheckpointRequest {
  /** The size that the log believes this witness has cosigned last. */
  readonly oldSize: number
  /** From the old size to the checkpoint. */
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: SignedCheckpoint
}

/** Throws LogFormatError. Each request has one spelling. */
export function parseAddCheckpoint(body: Uint8Array): AddCheckpointRequest {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  // The first empty line: the note after it may contain more.
  const end = bytes.indexOf('\n\n')
  if (end < 0) throw new LogFormatError('the request has no empty line before the checkpoint')
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\n')
  if (lines.length > MAX_PROOF_HASHES)
    throw new LogFormatError(`the proof has more than ${MAX_PROOF_HASHES} hashes`)
  return {
    oldSize: parseOldSize(first),
    proof: lines.map(parseHash),
    checkpoint: parseCheckpoint(bytes.subarray(end + 2)),
  }
}

function parseOldSize(line: string): number {
  const [, digits] = /^old (0|[1-9][0-9]{0,15})$/.exec(line) ?? []
  const size = Number(digits)
  if (!Number.isSafeInteger(size)) throw new LogFormatError('the first line is not "old SIZE"')
  return size
}

function parseHash(line: string): Uint8Array {
  const hash = line.length === 44 ? fromBase64(line) : undefined
  if (hash?.length !== 32) throw new LogFormatError('a line of the proof is not a SHA-256 in base64')
  return hash
}
