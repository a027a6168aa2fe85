import { fromHex, hex } from '../encoding/hex.ts'
import { rootFromProof } from '../encoding/merkle.ts'
import { finding, type Finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { artifactLeaf } from '../manifest.ts'
import type { Parsed } from '../parsing.ts'
import type { FileProof } from '../proof.ts'
import { type Check, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export interface ProofFacts extends ReceiptFacts {
  readonly proof: Parsed<FileProof>
  readonly file: { readonly sha256: string; readonly sizeBytes: number }
}

export const fileMatchesProof: Check<ProofFacts> = {
  check: 'file_matches_proof',
  guarantee: en.checks.file_matches_proof,
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
