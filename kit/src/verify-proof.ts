import { fileMatchesProof, type ProofFacts } from './checks/file-matches-proof.ts'
import { keyIdMatchesPublicKey } from './checks/key-id-matches-public-key.ts'
import { keyWasAlive } from './checks/key-was-alive.ts'
import { logIsWitnessed } from './checks/log-is-witnessed.ts'
import { receiptIsLogged } from './checks/receipt-is-logged.ts'
import { receiptIsWhole } from './checks/receipt-is-whole.ts'
import { signatureVerifies } from './checks/signature-verifies.ts'
import { signerIsTrusted } from './checks/signer-is-trusted.ts'
import { timeIsConfirmed } from './checks/time-is-confirmed.ts'
import { copyInput } from './copy-input.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import { utf8 } from './encoding/utf8.ts'
import type { Host } from './host.ts'
import { type KeySet, parseJwks } from './jwks.ts'
import { readLogFacts } from './log/log-facts.ts'
import type { Parsed } from './parsing.ts'
import { type FileProof, parseProof } from './proof.ts'
import type { Receipt } from './receipt.ts'
import { type Booleans, type Check, runChecks, type VerificationReport } from './report.ts'
import { readTimeFacts } from './time/time-facts.ts'
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
  const log = parsed.ok ? await readLogFacts(false, undefined, trust.logPolicy, host) : undefined
  const time = parsed.ok
    ? await readTimeFacts(false, undefined, log, receipt, trust.timePolicy, host)
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
