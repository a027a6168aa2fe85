import { whyNot } from '../parsing.ts'
import { english, reason } from '../texts/english.ts'
import { fromBase64url, fromUtf8, hex, sameBytes } from '../encoding/bytes.ts'
import { ENVELOPE, ENVELOPE_PATHS, isProofPath, KEY_SET_LABEL } from '../envelope.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { finding, type Finding } from '../verdicts.ts'
import type { ExaminedKit } from '../examine.ts'
import type { Artifact, Manifest } from '../manifest.ts'
import { type Receipt, signedBytes } from '../receipt.ts'
import type { ReceiptFacts } from './receipt-checks.ts'

/** The input of the checks of a kit. */
export interface KitFacts extends ReceiptFacts {
  /** Undefined when a receipt is checked without its kit. */
  readonly kit: ExaminedKit | undefined
}

export const kitReadsInOneWay: Check<KitFacts> = {
  check: 'kit_reads_in_one_way',
  guarantee: english('checks.kit_reads_in_one_way'),
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    const findings = kit.problems.map((problem) => finding('kit_unreadable', problem))
    const { folderName } = kit
    if (receipt.ok && folderName !== undefined && folderName !== receipt.value.kit_id) {
      findings.push(
        finding(
          'kit_unreadable',
          reason('reason.folderName', { name: folderName, kit: receipt.value.kit_id }),
        ),
      )
    }
    return outcome(findings)
  },
}

export const filesMatchManifest: Check<KitFacts> = {
  check: 'files_match_manifest',
  guarantee: english('checks.files_match_manifest'),
  run({ kit, receipt }) {
    if (kit === undefined) {
      const name = receipt.ok ? receipt.value.kit_id : 'the receipt'
      return outcome([finding('artifact_missing', `there are no files for ${name}`)])
    }
    if (!kit.manifest.ok) return notRun(reason('reason.noManifest'))
    const findings = kit.manifest.value.artifacts.flatMap((artifact) => artifactFindings(artifact, kit))
    if (findings.length === 0 && kit.problems.length > 0) return notRun(reason('reason.notWellFormed'))
    return outcome(findings)
  },
}

function artifactFindings({ path, sha256, size_bytes }: Artifact, kit: ExaminedKit): readonly Finding[] {
  if (!kit.paths.has(path)) return [finding('artifact_missing', reason('reason.missing', { path }))]
  const found = kit.sha256.get(path)
  const foundBytes = kit.sizeBytes.get(path) ?? Number.NaN
  if (found === undefined) return [finding('artifact_missing', reason('reason.broken', { path }))]
  if (found !== sha256) {
    return [
      finding(
        'artifact_hash_mismatch',
        foundBytes === size_bytes
          ? reason('reason.changed', { path, found, listed: sha256 })
          : reason('reason.resized', {
              path,
              bytes: foundBytes,
              listedBytes: size_bytes,
              found,
              listed: sha256,
            }),
      ),
    ]
  }
  if (foundBytes === size_bytes) return []
  return [
    finding('artifact_size_mismatch', reason('reason.size', { path, bytes: foundBytes, listed: size_bytes })),
  ]
}

export const nothingWasAdded: Check<KitFacts> = {
  check: 'nothing_was_added',
  guarantee: english('checks.nothing_was_added'),
  run({ kit }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (!kit.manifest.ok) return notRun(reason('reason.noManifest'))
    const listed = new Set(kit.manifest.value.artifacts.map(({ path }) => path))
    const added = [...kit.paths].filter((path) => !listed.has(path) && !ENVELOPE_PATHS.includes(path))
    return outcome(added.map(addedFinding))
  },
}

function addedFinding(path: string): Finding {
  return isProofPath(path)
    ? finding('proof_unknown', reason('reason.unknown', { path }))
    : finding('artifact_unlisted', reason('reason.unlisted', { path }))
}

export const manifestMatchesReceipt: Check<KitFacts> = {
  check: 'manifest_matches_receipt',
  guarantee: english('checks.manifest_matches_receipt'),
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun(reason('reason.noKit'))
    const { manifest, recomputed } = kit
    if (!manifest.ok)
      return outcome(whyNot(manifest).map((problem) => finding('manifest_malformed', problem)))
    if (recomputed === undefined) return notRun('the manifest could not be hashed')
    const findings: Finding[] = []
    if (recomputed.manifestSha256 !== manifest.value.manifest_sha256) {
      findings.push(
        finding(
          'manifest_hash_mismatch',
          reason('reason.manifestHash', {
            stated: manifest.value.manifest_sha256,
            actual: recomputed.manifestSha256,
          }),
        ),
      )
    }
    if (!receipt.ok) {
      return findings.length > 0 ? outcome(findings) : notRun(reason('reason.noReceiptToCompare'))
    }
    if (recomputed.manifestSha256 !== receipt.value.manifest_sha256) {
      findings.push(
        finding(
          'manifest_hash_mismatch',
          reason('reason.otherManifest', {
            stated: receipt.value.manifest_sha256,
            actual: recomputed.manifestSha256,
          }),
        ),
      )
    }
    if (recomputed.rootHash !== receipt.value.manifest_root_hash) {
      findings.push(
        finding(
          'root_hash_mismatch',
          reason('reason.otherRoot', {
            stated: receipt.value.manifest_root_hash,
            actual: recomputed.rootHash,
          }),
        ),
      )
    }
    return outcome([...findings, ...disagreements(manifest.value, receipt.value)])
  },
}

const SHARED = ['receipt_version', 'kit_id', 'job_id', 'issued_at'] as const

function disagreements(manifest: Manifest, receipt: Receipt): readonly Finding[] {
  return SHARED.filter((member) => manifest[member] !== receipt[member]).map((member) =>
    finding(
      'receipt_manifest_mismatch',
      reason('reason.differs', { member, manifest: manifest[member], receipt: receipt[member] }),
    ),
  )
}

export const envelopeAgrees: Check<KitFacts> = {
  check: 'envelope_agrees',
  guarantee: english('checks.envelope_agrees'),
  run({ kit, receipt, host }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun(reason('reason.noKit'))
    const findings: Finding[] = []
    for (const [name, path] of Object.entries(ENVELOPE)) {
      const missing = kit.envelope[name as keyof typeof ENVELOPE] === undefined
      if (missing) findings.push(finding('envelope_missing', reason('reason.missingOrBroken', { path })))
    }
    if (receipt.ok) findings.push(...receiptCopies(kit, receipt.value))
    if (kit.envelope.keySet !== undefined) {
      const { keySet } = kit
      const problems = keySet.ok ? keySet.value.refused.map(({ why }) => `a key ${why}`) : keySet.problems
      for (const problem of problems)
        findings.push(finding('envelope_mismatch', `${ENVELOPE.keySet}: ${problem}`))
      findings.push(...keySetFindings(kit, hex(host.digest(kit.envelope.keySet))))
    }
    if (findings.length === 0 && !receipt.ok) return notRun(reason('reason.noReceiptToCompare'))
    return outcome(findings)
  },
}

function receiptCopies({ envelope }: ExaminedKit, receipt: Receipt): readonly Finding[] {
  const findings: Finding[] = []
  const { canonicalReceipt, signature } = envelope
  if (canonicalReceipt !== undefined && !sameBytes(canonicalReceipt, signedBytes(receipt))) {
    findings.push(
      finding(
        'envelope_mismatch',
        reason('reason.notCanonical', { path: ENVELOPE.canonicalReceipt, receipt: ENVELOPE.receipt }),
      ),
    )
  }
  if (
    signature !== undefined &&
    !sameBytes(signature, fromBase64url(receipt.signature) ?? new Uint8Array(0))
  ) {
    findings.push(
      finding(
        'envelope_mismatch',
        reason('reason.notSignature', { path: ENVELOPE.signature, receipt: ENVELOPE.receipt }),
      ),
    )
  }
  return findings
}

/** The key set is not signed, but bag-info.txt, which the manifest lists, states its hash. */
function keySetFindings({ bagInfo }: ExaminedKit, actual: string): readonly Finding[] {
  const text = bagInfo === undefined ? undefined : fromUtf8(bagInfo)
  const stated = text
    ?.split('\n')
    .find((line) => line.startsWith(`${KEY_SET_LABEL}: `))
    ?.slice(KEY_SET_LABEL.length + 2)
  if (stated === undefined || stated === actual) return []
  return [
    finding('envelope_mismatch', reason('reason.keySetChanged', { path: ENVELOPE.keySet, actual, stated })),
  ]
}
