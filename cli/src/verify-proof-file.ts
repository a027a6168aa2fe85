import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readProof, type Trust, type VerificationReport, verifyParsedProof } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Claims } from './claims.ts'
import { reason, UnreadableInput } from './read-key-set.ts'

/** Checks one file against the proof that it is in a kit. */
export async function verifyProofFile(
  path: string,
  proofPath: string,
  trust: Trust,
): Promise<{ readonly report: VerificationReport; readonly claims: Claims | undefined }> {
  const proof = readProof(readBytes(proofPath))
  const report = await verifyParsedProof(proof, await measure(path), trust, nodeHost)
  return { report, claims: proof.ok ? proof.value.receipt : undefined }
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
}

async function measure(path: string): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
