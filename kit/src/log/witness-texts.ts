import { time } from '../report.ts'
import type { LogPolicy } from './tlog-policy.ts'
import type { CheckpointStatus } from './verify-checkpoint.ts'

type SignedStatus = Extract<CheckpointStatus, { is: 'signed' }>

/** `2 of 3 witnesses cosigned`, after a sentence about the policy. */
export function cosignedText({ cosigned }: SignedStatus, { witnesses }: LogPolicy): string {
  return witnesses.length === 0
    ? 'it names no witnesses'
    : `${cosigned.length} of ${witnesses.length} witnesses cosigned`
}

/** The same, and when the quorum was met. */
export function quorumText(status: SignedStatus, policy: LogPolicy): string {
  const cosigned = cosignedText(status, policy)
  return status.since === undefined ? cosigned : `${cosigned}; the quorum was met at ${time(status.since)}`
}

/** `seen by 2 of 3 witnesses`. */
export function seenText(cosigned: number, total: number): string {
  return `seen by ${cosigned} of ${total} ${total === 1 ? 'witness' : 'witnesses'}`
}
