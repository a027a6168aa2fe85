import { inZipOrder } from './encoding/zip-layout.ts'
import { isEnvelopePath, LOG_PROOF_LIMIT_BYTES, LOG_PROOF_PATH } from './envelope.ts'
import type { Host } from './host.ts'
import { provesReceipt } from './log/proves-receipt.ts'
import { parseTlogProof } from './log/tlog-proof.ts'
import { type MeasuredFile, measured, type SealedKit } from './seal.ts'

/**
 * Adds the log proof to a sealed kit. Throws if it would not verify.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { addLogProof, LogFormatError, utf8 } from '@kitseal/kit'
 * import { measureFolder, nodeHost, readPrivateKey, sealFiles } from '@kitseal/kit/node'
 *
 * const evidence = measureFolder('evidence', 'data/')
 * assert.ok(evidence.ok)
 * const options = { signer: readPrivateKey('issuer.key'), issuer: 'https://issuer.example', scope: 'Q3' }
 * const { sealed } = await sealFiles(evidence.files, options)
 * assert.throws(() => addLogProof(sealed, utf8('no proof'), nodeHost), LogFormatError)
 * ```
 */
export function addLogProof(sealed: SealedKit, proof: Uint8Array, host: Host): SealedKit {
  if (!provesReceipt(parseTlogProof(proof), sealed.receipt, host.digest))
    throw new Error('the log proof is not for the receipt of this kit')
  if (proof.length > LOG_PROOF_LIMIT_BYTES) throw new Error('the log proof is too large for a kit')
  const file = measured(LOG_PROOF_PATH, proof, host)
  const others = sealed.files.filter(({ path }) => path !== LOG_PROOF_PATH)
  const inEnvelope = others.filter(({ path }) => isEnvelopePath(path))
  return {
    ...sealed,
    generated: [...sealed.generated.filter(({ path }) => path !== LOG_PROOF_PATH), file],
    files: inZipOrder<MeasuredFile>(
      others.filter(({ path }) => !isEnvelopePath(path)),
      [...inEnvelope, file],
    ),
  }
}
