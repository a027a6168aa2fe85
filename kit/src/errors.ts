/** Every way in which verification can fail. spec/kit-format.md lists the same codes; a test compares them. */
export const ERROR_CODES = {
  kit_unreadable: 'The kit cannot be read, or programs could read it in different ways.',
  artifact_missing: 'A file listed in the manifest is missing.',
  artifact_hash_mismatch: 'A file was changed: its SHA-256 differs from the one in the manifest.',
  artifact_size_mismatch: 'A file has the SHA-256 in the manifest, but a different size.',
  artifact_unlisted: 'The kit contains a file that the manifest does not list.',
  manifest_malformed: 'manifest.json is missing, is not strict JSON, or is not a valid manifest.',
  manifest_hash_mismatch:
    "The manifest's SHA-256 differs from the one in the manifest itself or in the receipt.",
  root_hash_mismatch: 'The root hash of the artifacts differs from the one in the receipt.',
  receipt_manifest_mismatch: 'The manifest and the receipt name different kits, jobs or times.',
  receipt_malformed: 'The receipt is missing, is not strict JSON, or is not a valid receipt.',
  receipt_hash_mismatch: "The canonical receipt's SHA-256 differs from the one in the receipt.",
  envelope_missing: 'An envelope file is missing.',
  envelope_mismatch: 'An envelope file contradicts receipt.json, or was changed.',
  key_not_in_jwks: 'The public key named in the receipt is not in the key sets provided.',
  key_id_mismatch:
    'The receipt names a key other than the pinned one, or a key whose kid is not its thumbprint.',
  key_outside_life: 'The receipt was issued before its key was created or after it was retired.',
  key_revoked: 'The issuer has revoked the signing key.',
  signature_invalid: 'The signature is not valid.',
  signer_not_trusted: 'No trusted key of this issuer was provided, or the key came with the kit.',
  proof_malformed: 'The proof is not strict JSON, or is not a valid proof.',
  proof_mismatch: 'The file and the proof do not lead to the root hash in the receipt.',
  proof_unknown: 'The kit contains a proof of an unknown kind. A newer version may know it.',
  log_proof_malformed: 'proofs/log.tlog-proof is not a valid log proof.',
  log_proof_mismatch: 'The receipt and the log proof do not lead to the root hash in the checkpoint.',
  log_signature_invalid: 'A signature of the log or a witness in the log proof is not valid.',
  log_proof_missing: 'The policy asks for a log proof, and there is none.',
  log_unknown: 'The checkpoint in the log proof is not signed by a log in the policy.',
  log_quorum_not_met: 'Fewer witnesses have cosigned the checkpoint than the policy asks for.',
  time_stamp_malformed: 'proofs/time.tsr is not a granted time-stamp response.',
  time_stamp_mismatch: 'The time-stamp is not for the checkpoint in the log proof.',
  time_stamp_invalid: 'The time-stamp is not what its authority signed.',
  time_stamp_missing: 'The reader asks for a time-stamp, and there is none.',
  time_stamp_untrusted: 'The time-stamp does not lead to a root that the reader gave.',
  time_out_of_bounds: 'The receipt states a time that the witnesses or the time-stamp contradict.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export interface Finding {
  readonly code: ErrorCode
  readonly text: string
}

export function finding(code: ErrorCode, text: string): Finding {
  return { code, text }
}
