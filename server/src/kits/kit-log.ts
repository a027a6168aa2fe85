import { type NoteSignature, parseTlogProof } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { KitDetail } from './kit-schemas.ts'

type KitLog = NonNullable<KitDetail['log']>
type Proofs = Pick<TransparencyLog, 'proofOf'>

/** Where the receipt of a kit is in the log, from its newest proof. Null if the log is not available. */
export async function kitLog(
  { transparencyLog }: { readonly transparencyLog: Proofs },
  kitId: KitId,
): Promise<KitLog | null> {
  const proof = await newestProof(transparencyLog, kitId)
  if (proof === undefined) return null
  const { index, checkpoint } = parseTlogProof(proof)
  const { origin, size, signatures } = checkpoint
  return { origin, index, size, cosigned: signatures.flatMap(cosigner) }
}

async function newestProof(log: Proofs, kitId: KitId): Promise<Uint8Array | undefined> {
  try {
    return await log.proofOf(kitId)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const COSIGNATURE_BYTES = 72

/** A cosignature begins with its time, in seconds. The service verified it before it added it. */
function cosigner({ name, signature }: NoteSignature): KitLog['cosigned'] {
  if (signature.length !== COSIGNATURE_BYTES) return []
  const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)
  return [{ name, at: timestamp(Number(seconds) * 1000) }]
}
