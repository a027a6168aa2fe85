import { copyInput } from './copy-input.ts'
import { sameBytes } from './encoding/utf8.ts'
import { inZipOrder } from './encoding/zip-layout.ts'
import { isEnvelopePath, LOG_PROOF_LIMIT_BYTES, LOG_PROOF_PATH, TIME_STAMP_PATH } from './envelope.ts'
import type { Host } from './host.ts'
import { provesReceipt } from './log/proves-receipt.ts'
import { parseTlogProof, type TlogProof } from './log/tlog-proof.ts'
import { parseTimeStamp, type TimeStamp } from './time/time-stamp.ts'
import { type MeasuredFile, measured, type SealedKit } from './seal.ts'

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
  if (proof.length > LOG_PROOF_LIMIT_BYTES) throw new Error('the log proof is too large for a kit')
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
