import {
  keyIdMatchesPublicKey,
  keyWasAlive,
  type ReceiptFacts,
  receiptIsWhole,
  signatureVerifies,
  signerIsTrusted,
} from './checks/receipt-checks.ts'
import { copyInput, fromHex, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { inclusionProof, rootFromProof } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import type { Host } from './host.ts'
import { type Jwks, parseJwks } from './jwks.ts'
import { logIsWitnessed, readLogFacts, receiptIsLogged } from './log/verify-log.ts'
import { artifactLeaf, artifactLeaves, type Manifest } from './manifest.ts'
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
import { type Booleans, type Check, outcome, runChecks, type VerificationReport } from './report.ts'
import { readTimeFacts, timeIsConfirmed } from './time/verify-time.ts'
import { chooseKey, signerOf, type Trust } from './trust.ts'
import { finding, type Finding } from './verdicts.ts'

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

/**
 * Verifies that a file is in a kit: it matches the proof, the proof leads to the receipt, and the receipt
 * verifies.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { createHash } from 'node:crypto'
 * import { parseStrictJson, trustKeys, verifyFileProof } from '@kitseal/kit'
 * import { nodeHost, readKeySet } from '@kitseal/kit/node'
 *
 * const proof = parseStrictJson(readFileSync('users.csv.proof.json'))
 * const content = readFileSync('evidence/users.csv')
 * const file = { sha256: createHash('sha256').update(content).digest('hex'), sizeBytes: content.length }
 * const trust = trustKeys(readKeySet('issuer.jwks.json'))
 * const report = await verifyFileProof(proof, file, trust, nodeHost)
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function verifyFileProof(
  proof: JsonValue,
  file: { readonly sha256: string; readonly sizeBytes: number },
  trust: Trust,
  host: Host,
): Promise<VerificationReport> {
  return verifyParsedProof(parseProof(proof), file, trust, host)
}

/** Like verifyFileProof(), for the result of readProof(). */
export async function verifyParsedProof(
  given: Parsed<FileProof>,
  measured: { readonly sha256: string; readonly sizeBytes: number },
  trusted: Trust,
  host: Host,
): Promise<VerificationReport> {
  const { parsed, file, trust } = copyInput({ parsed: given, file: measured, trust: trusted })
  const receipt: Parsed<Receipt> = parsed.ok ? { ok: true, value: parsed.value.receipt } : parsed
  const keys = parsed.ok ? parseJwks(parsed.value.jwks) : parsed
  const kitKeys =
    parsed.ok && keys.ok ? { set: keys.value, bytes: utf8(canonicalJson(parsed.value.jwks)) } : undefined
  const chosen = receipt.ok ? chooseKey(receipt.value, kitKeys, trust) : undefined
  // A file proof has no log proof, so a policy cannot be met.
  const log = parsed.ok ? await readLogFacts(undefined, trust.logPolicy, host) : undefined
  const time = parsed.ok
    ? await readTimeFacts(undefined, { log, receipt, policy: trust.timePolicy }, host)
    : undefined
  const checks = [
    ...PROOF_CHECKS,
    ...(log === undefined ? [] : [receiptIsLogged, logIsWitnessed]),
    ...(time === undefined ? [] : [timeIsConfirmed]),
  ]
  const facts: ProofFacts = { proof: parsed, file, receipt, chosen, log, time, host, unreadable: !parsed.ok }
  const verdict = { unreadable: !parsed.ok, sender: chosen?.sender }
  return runChecks(checks, facts, BOOLEANS, signerOf(receipt, chosen), verdict)
}

interface ProofFacts extends ReceiptFacts {
  readonly proof: Parsed<FileProof>
  readonly file: { readonly sha256: string; readonly sizeBytes: number }
}

const fileMatchesProof: Check<ProofFacts> = {
  check: 'file_matches_proof',
  run({ proof, file, host }) {
    if (!proof.ok) return outcome(proof.problems.map((problem) => finding('proof_malformed', problem)))
    const { path, sha256, size_bytes, leaf_index, tree_size, audit_path, receipt } = proof.value
    const findings: Finding[] = []
    if (file.sha256 !== sha256 || file.sizeBytes !== size_bytes) {
      findings.push(
        finding(
          'artifact_hash_mismatch',
          `the file does not match ${path}: its SHA-256 is ${file.sha256}, the proof is for ${sha256}`,
        ),
      )
    }
    const leaf = artifactLeaf({ path, sha256, size_bytes }, host.digest)
    const hashes = audit_path.map((hash) => fromHex(hash) ?? new Uint8Array(0))
    const root = rootFromProof(leaf, leaf_index, tree_size, hashes, host.digest)
    if (root === undefined || hex(root) !== receipt.manifest_root_hash) {
      findings.push(
        finding(
          'proof_mismatch',
          `the proof does not lead to the root hash in the receipt, ${receipt.manifest_root_hash}`,
        ),
      )
    }
    return outcome(findings)
  },
}

const PROOF_CHECKS: readonly Check<ProofFacts>[] = [
  fileMatchesProof,
  receiptIsWhole,
  keyIdMatchesPublicKey,
  keyWasAlive,
  signatureVerifies,
  signerIsTrusted,
]

/** A proof has no manifest: the path from the leaf to the root hash in the receipt replaces it. */
const BOOLEANS: Booleans = {
  manifest_hash_valid: [fileMatchesProof.check],
  artifact_hashes_valid: [fileMatchesProof.check],
  receipt_canonical_hash_valid: [receiptIsWhole.check],
  ed25519_signature_valid: [signatureVerifies.check],
  kid_matched: [keyIdMatchesPublicKey.check],
}
