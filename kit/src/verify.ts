import { envelopeAgrees } from './checks/envelope-agrees.ts'
import { filesMatchManifest } from './checks/files-match-manifest.ts'
import { keyIdMatchesPublicKey } from './checks/key-id-matches-public-key.ts'
import { keyWasAlive } from './checks/key-was-alive.ts'
import { kitReadsInOneWay } from './checks/kit-reads-in-one-way.ts'
import { manifestMatchesReceipt } from './checks/manifest-matches-receipt.ts'
import { nothingWasAdded } from './checks/nothing-was-added.ts'
import { receiptIsWhole } from './checks/receipt-is-whole.ts'
import { signatureVerifies } from './checks/signature-verifies.ts'
import { signerIsTrusted } from './checks/signer-is-trusted.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import { ENVELOPE } from './envelope.ts'
import { type ExaminedKit, examineKit, parseDocument } from './examine.ts'
import type { KitFacts } from './facts.ts'
import type { KitFiles } from './files.ts'
import type { Host } from './host.ts'
import { type Jwks, parseJwks } from './jwks.ts'
import { parseReceipt } from './receipt.ts'
import { type Booleans, type Check, runChecks, type VerificationReport } from './report.ts'
import { chooseKey, type Trust, trustKeys } from './trust.ts'

/**
 * Verifies a kit. Problems in the kit are reported, never thrown; any doubt is a FAIL.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { trustKeys, verifyKit } from '@kitseal/kit'
 * import { nodeHost, openKit, readKeySet } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * const report = await verifyKit(kit, trustKeys(readKeySet('issuer.jwks.json')), nodeHost)
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function verifyKit(kit: KitFiles, trust: Trust, host: Host): Promise<VerificationReport> {
  const examined = await examineKit(kit, host)
  const receipt = parseDocument(examined.envelope.receipt, ENVELOPE.receipt, parseReceipt)
  const kitKeys = parseDocument(examined.envelope.keySet, ENVELOPE.keySet, parseJwks)
  const chosen = receipt.ok
    ? chooseKey(receipt.value, kitKeys.ok ? kitKeys.value : undefined, trust)
    : undefined
  const waived = trust.useKitKeys ? signerIsTrusted.check : undefined
  const { unreadable } = examined
  return runAll(KIT_CHECKS, { kit: examined, receipt, kitKeys, chosen, host, unreadable }, waived)
}

/**
 * Verifies a receipt with a key set, against the files of its kit where they are available. Pass an examined kit
 * to verify many receipts without hashing the files again.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseStrictJson, verifyReceipt } from '@kitseal/kit'
 * import { nodeHost, openKit, readKeySet } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * const receipt = parseStrictJson(await kit.read('receipt.json', 100_000))
 * const report = await verifyReceipt(receipt, kit, readKeySet('issuer.jwks.json'), nodeHost)
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function verifyReceipt(
  value: JsonValue,
  kit: KitFiles | ExaminedKit | undefined,
  keys: Jwks,
  host: Host,
): Promise<VerificationReport> {
  const receipt = parseReceipt(value)
  const examined = kit !== undefined && 'measure' in kit ? await examineKit(kit, host) : kit
  const chosen = receipt.ok ? chooseKey(receipt.value, undefined, trustKeys(keys)) : undefined
  return runAll(RECEIPT_CHECKS, {
    kit: examined,
    receipt,
    kitKeys: { ok: false, problems: [] },
    chosen,
    host,
  })
}

const RECEIPT_CHECKS: readonly Check<KitFacts>[] = [
  kitReadsInOneWay,
  filesMatchManifest,
  nothingWasAdded,
  manifestMatchesReceipt,
  receiptIsWhole,
  keyIdMatchesPublicKey,
  keyWasAlive,
  signatureVerifies,
  signerIsTrusted,
]

const KIT_CHECKS: readonly Check<KitFacts>[] = RECEIPT_CHECKS.toSpliced(5, 0, envelopeAgrees)

const BOOLEANS: Booleans = {
  manifest_hash_valid: [manifestMatchesReceipt.check],
  artifact_hashes_valid: [kitReadsInOneWay.check, filesMatchManifest.check, nothingWasAdded.check],
  receipt_canonical_hash_valid: [receiptIsWhole.check],
  ed25519_signature_valid: [signatureVerifies.check],
  kid_matched: [keyIdMatchesPublicKey.check],
}

function runAll(
  checks: readonly Check<KitFacts>[],
  facts: KitFacts,
  waived?: string,
): Promise<VerificationReport> {
  const kid = facts.receipt.ok ? facts.receipt.value.public_key_kid : null
  return runChecks(checks, facts, BOOLEANS, { kid, trust: facts.chosen?.trust ?? 'none' }, waived)
}
