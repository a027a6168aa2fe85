import { canonicalJson } from '../encoding/canonical-json.ts'
import { hex } from '../encoding/hex.ts'
import type { Digest } from '../encoding/merkle.ts'
import { utf8 } from '../encoding/utf8.ts'
import type { Receipt } from '../receipt.ts'

export const LEAF_VERSION = 'kitseal-leaf-1'

/** An entry of the log of an issuer. It names no tenant, label or file. */
export type LogLeaf = { readonly leaf_version: typeof LEAF_VERSION } & (
  | {
      readonly kind: 'receipt'
      /** SHA-256 of the canonical receipt with its signature. */
      readonly receipt_sha256: string
      readonly kid: string
      /** Finds two receipts for one job without naming it. */
      readonly job_tag: string
    }
  | {
      readonly kind: 'key'
      readonly kid: string
      readonly event: 'added' | 'retired' | 'revoked' | 'compromised'
      readonly at: string
      /** When a compromised key was first in other hands. */
      readonly since?: string
    }
  | { readonly kind: 'erasure'; readonly receipt_sha256: string; readonly erasure_sha256: string }
  | { readonly kind: 'audit'; readonly audit_tag: string; readonly count: number; readonly head: string }
)

/** The leaf of a receipt. A verifier computes it from the receipt and never reads it from the kit. */
export function receiptLeaf(receipt: Receipt, digest: Digest): LogLeaf & { readonly kind: 'receipt' } {
  // Members are in canonical order, which is faster to serialize.
  return {
    job_tag: hex(digest(`kitseal job tag v1\n${receipt.job_id}`)),
    kid: receipt.public_key_kid,
    kind: 'receipt',
    leaf_version: LEAF_VERSION,
    receipt_sha256: hex(digest(canonicalJson(receipt))),
  }
}

/** The entry of the log: the canonical form of the leaf. */
export function leafBytes(leaf: LogLeaf): Uint8Array {
  return utf8(canonicalJson(leaf))
}
