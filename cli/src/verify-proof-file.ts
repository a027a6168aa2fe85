import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  parseJwks,
  parseStrictJson,
  readProof,
  type Trust,
  type VerificationReport,
  verifyParsedProof,
} from '@kitseal/kit'
import { nodeHost, readSmallFile } from '@kitseal/kit/node'
import type { Claims } from './claims.ts'
import { reading, UnreadableInput } from './unreadable-input.ts'

/** Checks one file against the proof that it is in a kit. */
export async function verifyProofFile(
  path: string,
  proofPath: string,
  trust: Trust,
): Promise<{ readonly report: VerificationReport; readonly claims: Claims | undefined }> {
  const bytes = await reading(proofPath, () => readSmallFile(proofPath, PROOF))
  const proof = readProof(bytes)
  if (!proof.ok && isKeySet(bytes))
    throw new UnreadableInput(`${proofPath} is a key set, and no proof: give it with --jwks`)
  const report = await verifyParsedProof(proof, await reading(path, () => measure(path)), trust, nodeHost)
  return { report, claims: proof.ok ? proof.value.receipt : undefined }
}

function isKeySet(bytes: Uint8Array): boolean {
  try {
    return parseJwks(parseStrictJson(bytes)).ok
  } catch {
    return false
  }
}

/** It holds a receipt and a key set, and a hash for each level of a tree. */
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
