import { finding, type Finding } from '../errors.ts'
import type { KitFacts } from '../facts.ts'
import type { Manifest } from '../manifest.ts'
import type { Receipt } from '../receipt.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

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
