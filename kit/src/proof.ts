import { keyIdMatchesPublicKey } from './checks/key-id-matches-public-key.ts'
import { keyWasAlive } from './checks/key-was-alive.ts'
import { receiptIsWhole } from './checks/receipt-is-whole.ts'
import { signatureVerifies } from './checks/signature-verifies.ts'
import { signerIsTrusted } from './checks/signer-is-trusted.ts'
import { fileMatchesProof, type ProofFacts } from './checks/file-matches-proof.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { fromHex, hex } from './encoding/hex.ts'
import { inclusionProof } from './encoding/merkle.ts'
import { type JsonValue, parseStrictJson } from './encoding/strict-json.ts'
import { utf8 } from './encoding/utf8.ts'
import type { Host } from './host.ts'
import { type Jwks, type KeySet, parseJwks } from './jwks.ts'
import { artifactLeaves, type Manifest } from './manifest.ts'
import { exactly, type Parsed, parseClosed, type Rule, sha256Text, someText } from './parsing.ts'
import { pathProblem } from './paths.ts'
import { parseReceipt, type Receipt } from './receipt.ts'
import { type Booleans, type Check, runChecks, type VerificationReport } from './report.ts'
import { chooseKey, type Trust } from './trust.ts'

const PROOF_VERSION = 'kitseal-proof-1'

/** Shows that one file is in a kit, and nothing of the others: an RFC 6962 inclusion proof and the receipt. */
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
  /** A copy of the public key set, a convenience as in a kit. */
  readonly jwks: Jwks
}

export function proveFile(
  manifest: Manifest,
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
    receipt,
    jwks,
  }
}

export function proofBytes(proof: FileProof): Uint8Array {
  return utf8(canonicalJson(proof))
}

/** Verifies that a file is the one that a proof speaks of, and that the proof leads to a receipt that verifies. */
export async function verifyFileProof(
  proof: JsonValue,
  file: { readonly sha256: string; readonly sizeBytes: number },
  trust: Trust,
  host: Host,
): Promise<VerificationReport> {
  return verifyParsedProof(parseProof(proof), file, trust, host)
}

/** The same for a proof that was read before, or that could not be read. */
export async function verifyParsedProof(
  parsed: Parsed<FileProof>,
  file: { readonly sha256: string; readonly sizeBytes: number },
  trust: Trust,
  host: Host,
): Promise<VerificationReport> {
  const receipt: Parsed<Receipt> = parsed.ok ? { ok: true, value: parsed.value.receipt } : parsed
  const keys: Parsed<KeySet> = parsed.ok ? parseJwks(parsed.value.jwks as unknown as JsonValue) : parsed
  const chosen = receipt.ok ? chooseKey(receipt.value, keys.ok ? keys.value : undefined, trust) : undefined
  const kid = receipt.ok ? receipt.value.public_key_kid : null
  const waived = trust.useKitKeys ? signerIsTrusted.check : undefined
  const facts: ProofFacts = { proof: parsed, file, receipt, chosen, host, unreadable: !parsed.ok }
  return runChecks(PROOF_CHECKS, facts, BOOLEANS, { kid, trust: chosen?.trust ?? 'none' }, waived)
}

const PROOF_CHECKS: readonly Check<ProofFacts>[] = [
  fileMatchesProof,
  receiptIsWhole,
  keyIdMatchesPublicKey,
  keyWasAlive,
  signatureVerifies,
  signerIsTrusted,
]

/** The manifest is not there; the way from the leaf to the receipt's root hash stands for it. */
const BOOLEANS: Booleans = {
  manifest_hash_valid: [fileMatchesProof.check],
  artifact_hashes_valid: [fileMatchesProof.check],
  receipt_canonical_hash_valid: [receiptIsWhole.check],
  ed25519_signature_valid: [signatureVerifies.check],
  kid_matched: [keyIdMatchesPublicKey.check],
}

/** A proof as it lies in a file; where it is not strict JSON, says why. */
export function readProof(bytes: Uint8Array): Parsed<FileProof> {
  try {
    return parseProof(parseStrictJson(bytes))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON'
    return { ok: false, problems: [`the proof is not strict JSON: ${why}`] }
  }
}

export function parseProof(value: JsonValue): Parsed<FileProof> {
  return parseClosed<FileProof>('the proof', value, PROOF_RULES)
}

const count: Rule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be a non-negative integer'
const problemsOf = (parsed: Parsed<unknown>): string | undefined =>
  parsed.ok ? undefined : `is malformed: ${parsed.problems.join('; ')}`

const PROOF_RULES: Readonly<Record<keyof FileProof, Rule>> = {
  proof_version: exactly(PROOF_VERSION),
  path: (value) => someText(value) ?? (typeof value === 'string' ? pathProblem(value) : undefined),
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
