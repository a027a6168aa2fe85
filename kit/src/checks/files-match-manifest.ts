import { finding, type Finding } from '../errors.ts'
import type { ExaminedKit } from '../examine.ts'
import type { KitFacts } from '../facts.ts'
import type { Artifact } from '../manifest.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

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
