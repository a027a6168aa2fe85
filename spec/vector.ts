import type { SignerReport } from '../kit/src/report.ts'
import type { Quorum } from '../kit/src/log/tlog-policy.ts'
import type { ErrorCode, Verdict } from '../kit/src/verdicts.ts'

/** One line of vectors/index.json: an input for a verifier and the exact expected result. */
export type Vector = {
  /** The guarantee that it tests. */
  readonly name: string
  readonly group: Group
  /** Relative to vectors/, like every file named here. */
  readonly file: string
  /** The Python verifier does not check time-stamps, so it does not run this vector. */
  readonly python?: 'not_checked'
} & (
  | { readonly kind: 'kit'; readonly trust: TrustNote; readonly expected: Result }
  | {
      readonly kind: 'receipt'
      /** The kit that the receipt is checked against, or null if the verifier has none. */
      readonly kit: string | null
      readonly jwks: string
      /** The issuer that the keys belong to, if they verify only its receipts. */
      readonly issuer?: string
      readonly expected: Result
    }
  | {
      readonly kind: 'proof'
      readonly evidence: string
      readonly trust: TrustNote
      readonly expected: Result
    }
  | { readonly kind: 'json'; readonly expected: Accepted<{ readonly canonical: string }> }
  | {
      readonly kind: 'manifest'
      readonly expected: Accepted<{ readonly manifest_sha256: string; readonly root_hash: string }>
    }
  | {
      readonly kind: 'provenance'
      readonly expected: Accepted<{ readonly entries: number; readonly verified: number }>
    }
  | { readonly kind: 'jwks'; readonly expected: Accepted<{ readonly kids: readonly string[] }> }
  | {
      readonly kind: 'checkpoint'
      readonly expected: Accepted<{ readonly origin: string; readonly size: number; readonly root: string }>
    }
  | {
      readonly kind: 'log-proof'
      readonly expected: Accepted<{ readonly index: number; readonly hashes: number; readonly size: number }>
    }
  | {
      readonly kind: 'policy'
      readonly expected: Accepted<{
        readonly logs: readonly string[]
        readonly witnesses: readonly string[]
        readonly quorum: Quorum | null
      }>
    }
  | {
      readonly kind: 'time-stamp'
      /** The text that should be stamped. */
      readonly data: string
      /** The certificates of the authorities that the reader trusts. */
      readonly roots: string
      readonly expected: TimeStampResult
    }
)

export type Group = 'valid' | 'tampered' | 'malformed'

/** `code` is null if the time-stamp is trusted. */
export type TimeStampResult =
  | { readonly code: ErrorCode }
  | { readonly code: null; readonly authority: string; readonly existed_before: string }

export type Accepted<T> = { readonly accepted: false } | ({ readonly accepted: true } & T)

/** The keys that the user trusts; none if omitted. */
export interface TrustNote {
  /** Files. The reader does not say where they are from. */
  readonly jwks?: readonly string[]
  /** Files of which the reader confirms that they are the issuer's. */
  readonly confirmed_jwks?: readonly string[]
  readonly kids?: readonly string[]
  readonly pins?: readonly { readonly kid: string; readonly issuer: string; readonly jwks?: string }[]
  readonly use_kit_keys?: true
  /** The issuer that the receipt must name. */
  readonly issuer?: string
  /** The file with the logs and witnesses that the reader trusts. */
  readonly policy?: string
  /** The file with the certificates of the time-stamp authorities that the reader trusts. */
  readonly tsa_roots?: string
  readonly max_delay_seconds?: number
}

export interface Result {
  readonly status: 'PASS' | 'FAIL'
  readonly verdict: Verdict
  readonly manifest_hash_valid: boolean
  readonly artifact_hashes_valid: boolean
  readonly receipt_canonical_hash_valid: boolean
  readonly ed25519_signature_valid: boolean
  readonly kid_matched: boolean
  /** The codes of `errors`, in order. */
  readonly codes: readonly ErrorCode[]
  readonly signer: SignerReport['trust']
  /** How many entries the provenance report has; null if it is malformed. Absent if there is none. */
  readonly provenance?: number | null
}
