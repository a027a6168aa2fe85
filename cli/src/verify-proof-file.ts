import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  type Claims,
  claimsOf,
  parseJwks,
  parseStrictJson,
  readProof,
  type Trust,
  type VerificationReport,
  verifyParsedProof,
} from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from './input-error.ts'

/** Verifies a file with its file proof. */
export async function verifyProofFile(
  path: string,
  proofPath: string,
  trust: Trust,
): Promise<{ readonly report: VerificationReport; readonly claims: Claims | undefined }> {
  const bytes = await readOrFail(proofPath, () => readSmallFile(proofPath, PROOF))
  const proof = readProof(bytes)
  if (!proof.ok && isKeySet(bytes))
    throw new InputError(`${proofPath} is a key set, not a proof. Pass it with --jwks.`)
  const report = await verifyParsedProof(proof, await readOrFail(path, () => measure(path)), trust, nodeHost)
  return { report, claims: proof.ok ? claimsOf(proof.value.receipt) : undefined }
}

function isKeySet(bytes: Uint8Array): boolean {
  try {
    return parseJwks(parseStrictJson(bytes)).ok
  } catch {
    return false
  }
}

/** A proof contains a receipt, a key set and one hash per tree level. */
const PROOF = { what: 'a proof', limitMiB: 16 }

async function measure(path: string): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
