import { logIsWitnessed, readLogFacts, receiptIsLogged } from './log/verify-log.ts'
import {
  keyIdMatchesPublicKey,
  keyWasAlive,
  type ReceiptFacts,
  receiptIsWhole,
  signatureVerifies,
  signerIsTrusted,
} from './checks/receipt-checks.ts'
import { readTimeFacts, timeIsConfirmed } from './time/verify-time.ts'
import { copyInput, fromHex, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { rootFromProof } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import { type Booleans, type Check, outcome, runChecks, type VerificationReport } from './report.ts'
import { finding, type Finding } from './verdicts.ts'
import type { Host } from './host.ts'
import { type KeySet, parseJwks } from './jwks.ts'
import { artifactLeaf } from './manifest.ts'
import type { Parsed } from './parsing.ts'
import { type FileProof, parseProof } from './proof.ts'
import type { Receipt } from './receipt.ts'
import { english } from './texts/english.ts'
import { chooseKey, signerOf, type Trust } from './trust.ts'

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
  const keys: Parsed<KeySet> = parsed.ok ? parseJwks(parsed.value.jwks as unknown as JsonValue) : parsed
  const kitKeys =
    parsed.ok && keys.ok
      ? { set: keys.value, bytes: utf8(canonicalJson(parsed.value.jwks as unknown as JsonValue)) }
      : undefined
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

export interface ProofFacts extends ReceiptFacts {
  readonly proof: Parsed<FileProof>
  readonly file: { readonly sha256: string; readonly sizeBytes: number }
}

export const fileMatchesProof: Check<ProofFacts> = {
  check: 'file_matches_proof',
  guarantee: english('checks.file_matches_proof'),
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
