import { copyInput } from '../copy-input.ts'
import type { Host } from '../host.ts'
import type { SignedCheckpoint } from './checkpoint.ts'
import { verifyCosignature } from './cosignature.ts'
import { ED25519_COSIGNATURE } from './note-key.ts'
import { signaturesBy, verifyNote } from './signed-note.ts'
import { isQuorumMet, type LogPolicy } from './tlog-policy.ts'

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
  // All signatures are verified at once.
  const aside =
    host.verifyEd25519Aside === undefined ? host : { ...host, verifyEd25519: host.verifyEd25519Aside }
  const bySigners = verifyNote(checkpoint, logKeys, aside)
  const byWitnesses = policy.witnesses
    .filter(({ key }) => key.type === ED25519_COSIGNATURE)
    .flatMap(({ name, key }) =>
      signaturesBy(checkpoint, key).map(({ signature }) => {
        return { name, key, time: verifyCosignature(key, checkpoint.text, signature, aside) }
      }),
    )
  const signers = await bySigners
  if (signers === undefined) return { is: 'forged', signer: checkpoint.origin }
  const cosigned: Cosigner[] = []
  for (const { name, key, time: verified } of byWitnesses) {
    const time = await verified
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
