import { copyInput, fromHex, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { inclusionProof } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import type { Host } from './host.ts'
import { type Jwks, parseJwks } from './jwks.ts'
import { artifactLeaves, type Manifest } from './manifest.ts'
import {
  count,
  literal,
  nonEmptyString,
  type Parsed,
  parseJson,
  parseObject,
  type Rule,
  sha256Text,
} from './parsing.ts'
import { pathProblem } from './paths.ts'
import { parseReceipt, type Receipt } from './receipt.ts'

const PROOF_VERSION = 'kitseal-proof-1'

/** Proves that one file is in a kit without the other files: an RFC 6962 inclusion proof and the receipt. */
export type FileProof = {
  readonly proof_version: typeof PROOF_VERSION
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
  readonly leaf_index: number
  readonly tree_size: number
  /** Hashes in hex, from the leaf to the root. */
  readonly audit_path: readonly string[]
  readonly receipt: Receipt
  /** A copy of the public key set, for convenience. */
  readonly jwks: Jwks
}

/**
 * Makes the proof that one file is in a kit, or undefined if the manifest does not list it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { proveFile, readProof } from '@kitseal/kit'
 * import { nodeHost } from '@kitseal/kit/node'
 *
 * const proof = readProof(readFileSync('users.csv.proof.json'))
 * assert.ok(proof.ok)
 * const { receipt, jwks, path, sha256, size_bytes } = proof.value
 * const manifest = { artifacts: [{ path, sha256, size_bytes }] }
 * assert.equal(proveFile(manifest, receipt, jwks, path, nodeHost)?.leaf_index, 0)
 * assert.equal(proveFile(manifest, receipt, jwks, 'data/other.csv', nodeHost), undefined)
 * ```
 */
export function proveFile(
  manifest: Pick<Manifest, 'artifacts'>,
  receipt: Receipt,
  jwks: Jwks,
  path: string,
  host: Host,
): FileProof | undefined {
  const index = manifest.artifacts.findIndex((artifact) => artifact.path === path)
  const artifact = manifest.artifacts[index]
  if (artifact === undefined) return undefined
  const hashes = inclusionProof(artifactLeaves(manifest.artifacts, host.digest), index, host.digest)
  return {
    proof_version: PROOF_VERSION,
    path,
    sha256: artifact.sha256,
    size_bytes: artifact.size_bytes,
    leaf_index: index,
    tree_size: manifest.artifacts.length,
    audit_path: hashes.map(hex),
    receipt: copyInput(receipt),
    jwks: copyInput(jwks),
  }
}

/**
 * Serializes a proof for a file.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { proofBytes, readProof } from '@kitseal/kit'
 *
 * const proof = readProof(readFileSync('users.csv.proof.json'))
 * assert.ok(proof.ok)
 * assert.deepEqual(readProof(proofBytes(proof.value)), proof)
 * ```
 */
export function proofBytes(proof: FileProof): Uint8Array {
  return utf8(canonicalJson(proof))
}

/**
 * Parses the bytes of a proof file.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { readProof } from '@kitseal/kit'
 *
 * const proof = readProof(readFileSync('users.csv.proof.json'))
 * assert.equal(proof.ok && proof.value.path, 'data/users.csv')
 * ```
 */
export function readProof(bytes: Uint8Array): Parsed<FileProof> {
  return parseJson(bytes, parseProof, 'the proof')
}

/** Parses a proof. Unknown, missing or mistyped members are rejected. */
export function parseProof(value: JsonValue): Parsed<FileProof> {
  return parseObject<FileProof>('the proof', value, PROOF_RULES)
}

const problemsOf = (parsed: Parsed<unknown>): string | undefined =>
  parsed.ok ? undefined : `is malformed: ${parsed.problems.join('; ')}`

const PROOF_RULES: Readonly<Record<keyof FileProof, Rule>> = {
  proof_version: literal(PROOF_VERSION),
  path: (value) => nonEmptyString(value) ?? (typeof value === 'string' ? pathProblem(value) : undefined),
  sha256: sha256Text,
  size_bytes: count,
  leaf_index: count,
  tree_size: count,
  audit_path: (value) =>
    Array.isArray(value) &&
    value.length <= 64 &&
    value.every((hash) => typeof hash === 'string' && fromHex(hash)?.length === 32)
      ? undefined
      : 'must be a list of SHA-256 hashes',
  receipt: (value) => problemsOf(parseReceipt(value)),
  jwks: (value) => problemsOf(parseJwks(value)),
}
