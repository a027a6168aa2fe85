import type { ProvenanceEntry, ProvenanceReport, Supplier } from '@kitseal/kit/internal'

/** A file of a share, with paths below the link. */
export interface SharedFile {
  readonly path: string
  readonly kind: 'evidence' | 'report' | 'verifier' | 'binder' | 'guide' | 'envelope' | 'bag'
  readonly size_bytes: number
  readonly sha256: string
  /** What the file says about itself. */
  readonly summary: string | null
  readonly download: string
  readonly proof: string | null
}

/** What was asked for, and the files that were sent for it, as sealed. */
export interface SharedItem {
  readonly item_id: string
  readonly title: string
  readonly status: string
  readonly files: readonly string[]
}

/** `share.json` of a share. */
export interface SharedKit {
  readonly kit_id: string
  readonly issuer: string
  readonly supplier: Supplier | null
  readonly requested_by?: Supplier
  readonly provenance: readonly ProvenanceEntry[]
  readonly scope: string
  readonly issued_at: string
  readonly note: string | null
  readonly expires_at: string
  readonly shared: 'kit' | 'files'
  readonly files: readonly SharedFile[]
  readonly items: readonly SharedItem[] | null
  readonly kit: { readonly size_bytes: number; readonly download: string } | null
  readonly downloads_left: number | null
  readonly status: 'available' | 'exhausted' | 'erased'
  readonly erased_at: string | null
  readonly signing_key: { readonly status: string; readonly revoked_at: string | null }
}

export interface ShareVerdictProps {
  readonly base: string
  readonly share: SharedKit
  /** Called with whether it is verified, once that is known, and what the verified kit says about where it came from. */
  onVerdict(isVerified: boolean, provenance?: ProvenanceReport): void
}
