import { whyNot } from '../parsing.ts'
import { reason } from '../texts/english.ts'
import { fromBase64url, fromUtf8, hex, sameBytes } from '../encoding/bytes.ts'
import { ENVELOPE, ENVELOPE_PATHS, isProofPath, KEY_SET_LABEL } from '../envelope.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { failure, finding, type Finding } from '../verdicts.ts'
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
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    const findings = kit.problems.map((problem) => finding('kit_unreadable', problem))
    const name = kit.folderName
    if (receipt.ok && name !== undefined && name !== receipt.value.kit_id)
      findings.push(failure('kit_unreadable', 'reason.folderName', { name, kit: receipt.value.kit_id }))
    return outcome(findings)
  },
}

export const filesMatchManifest: Check<KitFacts> = {
  check: 'files_match_manifest',
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

function artifactFindings(
  { path, sha256: listed, size_bytes }: Artifact,
  kit: ExaminedKit,
): readonly Finding[] {
  if (!kit.paths.has(path)) return [failure('artifact_missing', 'reason.missing', { path })]
  const found = kit.sha256.get(path)
  const bytes = kit.sizeBytes.get(path) ?? Number.NaN
  if (found === undefined) return [failure('artifact_missing', 'reason.broken', { path })]
  if (found === listed)
    return bytes === size_bytes
      ? []
      : [failure('artifact_size_mismatch', 'reason.size', { path, bytes, listed: size_bytes })]
  if (bytes === size_bytes)
    return [failure('artifact_hash_mismatch', 'reason.changed', { path, found, listed })]
  const resized = { path, bytes, listedBytes: size_bytes, found, listed }
  return [failure('artifact_hash_mismatch', 'reason.resized', resized)]
}

export const nothingWasAdded: Check<KitFacts> = {
  check: 'nothing_was_added',
  run({ kit }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (!kit.manifest.ok) return notRun(reason('reason.noManifest'))
    const artifactPaths = new Set(kit.manifest.value.artifacts.map(({ path }) => path))
    const added = [...kit.paths].filter((path) => !artifactPaths.has(path) && !ENVELOPE_PATHS.includes(path))
    return outcome(added.map(addedFinding))
  },
}

function addedFinding(path: string): Finding {
  return isProofPath(path)
    ? failure('proof_unknown', 'reason.unknown', { path })
    : failure('artifact_unlisted', 'reason.unlisted', { path })
}

export const manifestMatchesReceipt: Check<KitFacts> = {
  check: 'manifest_matches_receipt',
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun(reason('reason.noKit'))
    const { manifest, recomputed } = kit
    if (!manifest.ok)
      return outcome(whyNot(manifest).map((problem) => finding('manifest_malformed', problem)))
    if (recomputed === undefined) return notRun('the manifest could not be hashed')
    const { manifestSha256: actual, rootHash } = recomputed
    const findings: Finding[] = []
    const stated = manifest.value.manifest_sha256
    if (actual !== stated)
      findings.push(failure('manifest_hash_mismatch', 'reason.manifestHash', { stated, actual }))
    if (!receipt.ok)
      return findings.length > 0 ? outcome(findings) : notRun(reason('reason.noReceiptToCompare'))
    const { manifest_sha256: signed, manifest_root_hash: signedRoot } = receipt.value
    if (actual !== signed)
      findings.push(failure('manifest_hash_mismatch', 'reason.otherManifest', { stated: signed, actual }))
    if (rootHash !== signedRoot)
      findings.push(
        failure('root_hash_mismatch', 'reason.otherRoot', { stated: signedRoot, actual: rootHash }),
      )
    return outcome([...findings, ...disagreements(manifest.value, receipt.value)])
  },
}

const SHARED = ['receipt_version', 'kit_id', 'job_id', 'issued_at'] as const

function disagreements(manifest: Manifest, receipt: Receipt): readonly Finding[] {
  return SHARED.filter((member) => manifest[member] !== receipt[member]).map((member) =>
    failure('receipt_manifest_mismatch', 'reason.differs', {
      member,
      manifest: manifest[member],
      receipt: receipt[member],
    }),
  )
}

export const envelopeAgrees: Check<KitFacts> = {
  check: 'envelope_agrees',
  run({ kit, receipt, host }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun(reason('reason.noKit'))
    const findings: Finding[] = []
    for (const [name, path] of Object.entries(ENVELOPE)) {
      const missing = kit.envelope[name as keyof typeof ENVELOPE] === undefined
      if (missing) findings.push(failure('envelope_missing', 'reason.missingOrBroken', { path }))
    }
    if (receipt.ok) findings.push(...receiptCopies(kit, receipt.value))
    if (kit.envelope.keySet !== undefined) {
      const { keySet } = kit
      const problems = keySet.ok
        ? keySet.value.refused.map(({ why }) => `a key ${why.text}`)
        : keySet.problems
      for (const problem of problems)
        findings.push(finding('envelope_mismatch', `${ENVELOPE.keySet}: ${problem}`))
      findings.push(...keySetFindings(kit, hex(host.digest(kit.envelope.keySet))))
    }
    if (findings.length === 0 && !receipt.ok) return notRun(reason('reason.noReceiptToCompare'))
    return outcome(findings)
  },
}

function receiptCopies({ envelope }: ExaminedKit, receipt: Receipt): readonly Finding[] {
  const copies = [
    ['canonicalReceipt', signedBytes(receipt), 'reason.notCanonical'],
    ['signature', fromBase64url(receipt.signature) ?? new Uint8Array(0), 'reason.notSignature'],
  ] as const
  return copies.flatMap(([name, expected, why]) => {
    const copy = envelope[name]
    return copy === undefined || sameBytes(copy, expected)
      ? []
      : [failure('envelope_mismatch', why, { path: ENVELOPE[name], receipt: ENVELOPE.receipt })]
  })
}

/** The key set is not signed, but bag-info.txt, which the manifest lists, states its hash. */
function keySetFindings({ bagInfo }: ExaminedKit, actual: string): readonly Finding[] {
  const text = bagInfo === undefined ? undefined : fromUtf8(bagInfo)
  const stated = text
    ?.split('\n')
    .find((line) => line.startsWith(`${KEY_SET_LABEL}: `))
    ?.slice(KEY_SET_LABEL.length + 2)
  if (stated === undefined || stated === actual) return []
  return [failure('envelope_mismatch', 'reason.keySetChanged', { path: ENVELOPE.keySet, actual, stated })]
}
