import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import {
  type JsonValue,
  parseProof,
  parseStrictJson,
  type Trust,
  type VerificationReport,
  verifyFileProof,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Claims } from './claims.ts'
import { reason, UnreadableInput } from './read-key-set.ts'

/** Checks one file against the proof that it is in a kit. */
export async function verifyProofFile(
  path: string,
  proofPath: string,
  trust: Trust,
): Promise<{ readonly report: VerificationReport; readonly claims: Claims | undefined }> {
  const proof = readProof(proofPath)
  const report = await verifyFileProof(proof, await measure(path), trust, nodeHost)
  const parsed = parseProof(proof)
  return { report, claims: parsed.ok ? parsed.value.receipt : undefined }
}

/** What is not JSON at all becomes null, which is no proof: a FAIL like any other malformed one. */
function readProof(path: string): JsonValue {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
  try {
    return parseStrictJson(bytes)
  } catch {
    return null
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
