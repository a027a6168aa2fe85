import { fromBase64url, fromUtf8, hex, sameBytes } from '../encoding/bytes.ts'
import { ENVELOPE, ENVELOPE_PATHS, isProofPath, KEY_SET_LABEL } from '../envelope.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { finding, type Finding } from '../verdicts.ts'
import type { ExaminedKit } from '../examine.ts'
import type { Artifact, Manifest } from '../manifest.ts'
import { type Receipt, signedBytes } from '../receipt.ts'
import { en } from '../texts/en.ts'
import type { ReceiptFacts } from './receipt-checks.ts'

/** The input of the checks of a kit. */
export interface KitFacts extends ReceiptFacts {
  /** Undefined when a receipt is checked without its kit. */
  readonly kit: ExaminedKit | undefined
}

export const kitReadsInOneWay: Check<KitFacts> = {
  check: 'kit_reads_in_one_way',
  guarantee: en.checks.kit_reads_in_one_way,
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    const findings = kit.problems.map((problem) => finding('kit_unreadable', problem))
    const { folderName } = kit
    if (receipt.ok && folderName !== undefined && folderName !== receipt.value.kit_id) {
      findings.push(
        finding(
          'kit_unreadable',
          `the folder is named ${folderName}, but the receipt is for ${receipt.value.kit_id}`,
        ),
      )
    }
    return outcome(findings)
  },
}

export const filesMatchManifest: Check<KitFacts> = {
  check: 'files_match_manifest',
  guarantee: en.checks.files_match_manifest,
  run({ kit, receipt }) {
    if (kit === undefined) {
      const name = receipt.ok ? receipt.value.kit_id : 'the receipt'
      return outcome([finding('artifact_missing', `there are no files for ${name}`)])
    }
    if (!kit.manifest.ok) return notRun('there is no valid manifest to compare with')
    const findings = kit.manifest.value.artifacts.flatMap((artifact) => artifactFindings(artifact, kit))
    if (findings.length === 0 && kit.problems.length > 0) return notRun('the archive is not well-formed')
    return outcome(findings)
  },
}

function artifactFindings({ path, sha256, size_bytes }: Artifact, kit: ExaminedKit): readonly Finding[] {
  if (!kit.paths.has(path)) return [finding('artifact_missing', `${path} is missing`)]
  const found = kit.sha256.get(path)
  const foundBytes = kit.sizeBytes.get(path)
  if (found === undefined) return [finding('artifact_missing', `${path} cannot be read`)]
  if (found !== sha256) {
    const sizes = foundBytes === size_bytes ? '' : `, ${foundBytes} bytes instead of ${size_bytes}`
    return [
      finding(
        'artifact_hash_mismatch',
        `${path} was changed${sizes}: its SHA-256 is ${found}, the manifest lists ${sha256}`,
      ),
    ]
  }
  if (foundBytes === size_bytes) return []
  return [
    finding('artifact_size_mismatch', `${path} has ${foundBytes} bytes, the manifest lists ${size_bytes}`),
  ]
}

export const nothingWasAdded: Check<KitFacts> = {
  check: 'nothing_was_added',
  guarantee: en.checks.nothing_was_added,
  run({ kit }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (!kit.manifest.ok) return notRun('there is no valid manifest to compare with')
    const listed = new Set(kit.manifest.value.artifacts.map(({ path }) => path))
    const added = [...kit.paths].filter((path) => !listed.has(path) && !ENVELOPE_PATHS.includes(path))
    return outcome(added.map(addedFinding))
  },
}

function addedFinding(path: string): Finding {
  return isProofPath(path)
    ? finding('proof_unknown', `${path} was added, or this kit was made by a newer version of kitseal`)
    : finding('artifact_unlisted', `${path} is not listed in the manifest`)
}

export const manifestMatchesReceipt: Check<KitFacts> = {
  check: 'manifest_matches_receipt',
  guarantee: en.checks.manifest_matches_receipt,
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun('the kit cannot be read')
    const { manifest, recomputed } = kit
    if (!manifest.ok)
      return outcome(manifest.problems.map((problem) => finding('manifest_malformed', problem)))
    if (recomputed === undefined) return notRun('the manifest could not be hashed')
    const findings: Finding[] = []
    if (recomputed.manifestSha256 !== manifest.value.manifest_sha256) {
      findings.push(
        finding(
          'manifest_hash_mismatch',
          `the manifest states SHA-256 ${manifest.value.manifest_sha256}, but its SHA-256 is ${recomputed.manifestSha256}`,
        ),
      )
    }
    if (!receipt.ok) {
      return findings.length > 0 ? outcome(findings) : notRun('there is no valid receipt to compare with')
    }
    if (recomputed.manifestSha256 !== receipt.value.manifest_sha256) {
      findings.push(
        finding(
          'manifest_hash_mismatch',
          `the receipt states manifest SHA-256 ${receipt.value.manifest_sha256}, but the manifest's SHA-256 is ${recomputed.manifestSha256}`,
        ),
      )
    }
    if (recomputed.rootHash !== receipt.value.manifest_root_hash) {
      findings.push(
        finding(
          'root_hash_mismatch',
          `the receipt states root hash ${receipt.value.manifest_root_hash}, but the root hash of the artifacts is ${recomputed.rootHash}`,
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
      `${member} is ${manifest[member]} in the manifest but ${receipt[member]} in the receipt`,
    ),
  )
}

export const envelopeAgrees: Check<KitFacts> = {
  check: 'envelope_agrees',
  guarantee: en.checks.envelope_agrees,
  run({ kit, receipt, host }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun('the kit cannot be read')
    const findings: Finding[] = []
    for (const [name, path] of Object.entries(ENVELOPE)) {
      const missing = kit.envelope[name as keyof typeof ENVELOPE] === undefined
      if (missing) findings.push(finding('envelope_missing', `${path} is missing or cannot be read`))
    }
    if (receipt.ok) findings.push(...receiptCopies(kit, receipt.value))
    if (kit.envelope.keySet !== undefined) {
      const { keySet } = kit
      const problems = keySet.ok ? keySet.value.refused.map(({ why }) => `a key ${why}`) : keySet.problems
      for (const problem of problems)
        findings.push(finding('envelope_mismatch', `${ENVELOPE.keySet}: ${problem}`))
      findings.push(...keySetFindings(kit, hex(host.digest(kit.envelope.keySet))))
    }
    if (findings.length === 0 && !receipt.ok) return notRun('there is no valid receipt to compare with')
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
        `${ENVELOPE.canonicalReceipt} is not the canonical form of ${ENVELOPE.receipt}`,
      ),
    )
  }
  if (
    signature !== undefined &&
    !sameBytes(signature, fromBase64url(receipt.signature) ?? new Uint8Array(0))
  ) {
    findings.push(
      finding('envelope_mismatch', `${ENVELOPE.signature} is not the signature of ${ENVELOPE.receipt}`),
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
    finding(
      'envelope_mismatch',
      `${ENVELOPE.keySet} was changed: its SHA-256 is ${actual}, bag-info.txt states ${stated}`,
    ),
  ]
}
