/** Every way in which verification can fail. Closed: spec/kit-format.md lists the same codes, and a test holds the two together. */
export const ERROR_CODES = {
  kit_unreadable: 'The kit cannot be read, or could be read in more than one way.',
  artifact_missing: 'A file that the manifest lists is not there.',
  artifact_hash_mismatch: 'A file is not the one that the manifest lists: its SHA-256 differs.',
  artifact_size_mismatch: 'A file has the listed SHA-256, but the manifest states another size.',
  artifact_unlisted: 'A file is in the kit that the manifest does not list.',
  manifest_malformed: 'manifest.json is missing, is not strict JSON, or is not a manifest.',
  manifest_hash_mismatch:
    "The manifest's SHA-256 is not the one that it states, or not the one that the receipt states.",
  root_hash_mismatch: "The root hash over the artifacts is not the receipt's.",
  receipt_manifest_mismatch: 'Manifest and receipt name different kits, jobs or times.',
  receipt_malformed: 'The receipt is missing, is not strict JSON, or is not a receipt.',
  receipt_hash_mismatch: "The canonical receipt's SHA-256 is not the one that the receipt states.",
  envelope_missing: 'A file of the envelope is not there.',
  envelope_mismatch: 'A file of the envelope does not say what receipt.json says.',
  key_not_in_jwks: 'The public key that the receipt names is not among the keys that were given.',
  key_id_mismatch:
    'The receipt names another key than the pinned one, or a key whose kid is not its own thumbprint.',
  key_outside_life: 'The receipt was issued before its key was made or after it was retired.',
  signature_invalid: 'The signature does not verify.',
  signer_not_trusted:
    'No key was given to check the signer against, or the key is pinned for another issuer.',
  proof_malformed: 'The proof is not strict JSON, or is not a proof.',
  proof_mismatch: "The file and the proof do not lead to the receipt's root hash.",
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export interface Finding {
  readonly code: ErrorCode
  readonly text: string
}

export function finding(code: ErrorCode, text: string): Finding {
  return { code, text }
}
