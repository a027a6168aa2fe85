import {
  envelopeAgrees,
  filesMatchManifest,
  type KitFacts,
  kitReadsInOneWay,
  manifestMatchesReceipt,
  nothingWasAdded,
} from './checks/kit-checks.ts'
import {
  keyIdMatchesPublicKey,
  keyWasAlive,
  receiptIsWhole,
  signatureVerifies,
  signerIsTrusted,
} from './checks/receipt-checks.ts'
import { logIsWitnessed, logReport, readLogFacts, receiptIsLogged } from './log/verify-log.ts'
import { readTimeFacts, timeIsConfirmed, timeReport } from './time/verify-time.ts'
import { copyInput } from './encoding/bytes.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import { ENVELOPE } from './envelope.ts'
import { type ExaminedKit, examineKit, parseDocument } from './examine.ts'
import { type Booleans, type Check, runChecks, type VerificationReport } from './report.ts'
import type { KitFiles } from './kit-files.ts'
import type { Host } from './host.ts'
import type { Jwks, KeySet } from './jwks.ts'
import { provenanceReport } from './provenance-text.ts'
import { parseReceipt } from './receipt.ts'
import {
  chooseKey,
  type KitKeys,
  policyFor,
  signerOf,
  type Trust,
  type TrustedKeySet,
  trustKeys,
  vouchedByLog,
} from './trust.ts'

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
export async function verifyKit(kit: KitFiles, trusted: Trust, host: Host): Promise<VerificationReport> {
  const trust = copyInput(trusted)
  const examined = await examineKit(kit, host)
  const { unreadable, paths, envelope, logProof } = examined
  const isKit = !unreadable && (paths.has(ENVELOPE.manifest) || paths.has(ENVELOPE.receipt))
  const receipt = parseDocument(envelope.receipt, ENVELOPE.receipt, parseReceipt)
  const { policy, isIssuers, isPinned, time: timePolicy } = policyFor(trust, receipt, logProof !== undefined)
  const logged = await readLogFacts(logProof, policy, host)
  const log = logged && { ...logged, isIssuers }
  const time = await readTimeFacts(examined.timeStamp, { log, receipt, policy: timePolicy }, host)
  const existedAt = time?.trusted?.inBounds === true ? time.trusted.time : undefined
  const known = receipt.ok ? chooseKey(receipt.value, keysOf(examined), trust, existedAt) : undefined
  const isVouched =
    isPinned && log !== undefined && (await receiptIsLogged.run({ receipt, log, host })).is === 'pass'
  const chosen = isVouched && receipt.ok && known !== undefined ? vouchedByLog(known, receipt.value) : known
  const checks = [
    ...KIT_CHECKS,
    ...(log === undefined || !isKit ? [] : [receiptIsLogged, logIsWitnessed]),
    ...(time === undefined || !isKit ? [] : [timeIsConfirmed]),
  ]
  const facts = { kit: examined, receipt, chosen, log, time, host, unreadable }
  const { boundary, ...checked } = await runAll(checks, facts, !isKit)
  const provenance = provenanceReport(examined, checked.verdict, host)
  const report = { ...checked, ...(provenance === undefined ? {} : { provenance }) }
  if (log === undefined || !isKit) return { ...report, boundary }
  const issuer = receipt.ok ? receipt.value.issuer : undefined
  const confirmed = time === undefined ? undefined : timeReport(time, log)
  return {
    ...report,
    log: logReport(log, report.checks, issuer),
    ...(confirmed === undefined ? {} : { time: confirmed }),
    boundary,
  }
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
  keys: Jwks | KeySet | TrustedKeySet,
  host: Host,
): Promise<VerificationReport> {
  const receipt = parseReceipt(copyInput(value))
  const trust = copyInput(trustKeys(keys))
  const examined = kit !== undefined && 'measure' in kit ? await examineKit(kit, host) : kit
  const chosen = receipt.ok ? chooseKey(receipt.value, keysOf(examined), trust) : undefined
  return runAll(RECEIPT_CHECKS, { kit: examined, receipt, chosen, host }, false)
}

function keysOf(kit: ExaminedKit | undefined): KitKeys | undefined {
  const bytes = kit?.envelope.keySet
  return kit?.keySet.ok === true && bytes !== undefined ? { set: kit.keySet.value, bytes } : undefined
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
  unreadable: boolean,
): Promise<VerificationReport> {
  const { chosen, receipt } = facts
  return runChecks(checks, facts, BOOLEANS, signerOf(receipt, chosen), { unreadable, sender: chosen?.sender })
}
