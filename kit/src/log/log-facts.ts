import type { Host } from '../host.ts'
import type { Parsed } from '../parsing.ts'
import { LogFormatError } from './log-format.ts'
import type { LogPolicy } from './tlog-policy.ts'
import { parseTlogProof, type TlogProof } from './tlog-proof.ts'
import { type CheckpointStatus, verifyCheckpoint } from './verify-checkpoint.ts'

/** The log proof of a kit, and what the reader's policy says about it. */
export interface LogFacts {
  /** Undefined if there is none. */
  readonly proof: Parsed<TlogProof> | undefined
  /** Undefined without a policy, or without a valid proof. */
  readonly status: CheckpointStatus | undefined
  readonly policy: LogPolicy | undefined
  /** The policy is the issuer's own, not the reader's. */
  readonly isIssuers?: boolean
}

/** `bytes` are undefined if the proof cannot be read, and `hasProof` is false if there is none. */
export async function readLogFacts(
  hasProof: boolean,
  bytes: Uint8Array | undefined,
  policy: LogPolicy | undefined,
  host: Host,
): Promise<LogFacts | undefined> {
  if (!hasProof && policy === undefined) return undefined
  const proof = hasProof ? parse(bytes) : undefined
  const status =
    proof?.ok === true && policy !== undefined
      ? await verifyCheckpoint(proof.value.checkpoint, policy, host)
      : undefined
  return { proof, status, policy }
}

function parse(bytes: Uint8Array | undefined): Parsed<TlogProof> {
  if (bytes === undefined) return { ok: false, problems: ['the log proof cannot be read'] }
  try {
    return { ok: true, value: parseTlogProof(bytes) }
  } catch (error) {
    if (error instanceof LogFormatError) return { ok: false, problems: [error.message] }
    throw error
  }
}
