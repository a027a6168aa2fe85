import type { Verdict } from '@kitseal/kit'

/** A kit in the evidence, and what verifying it showed. */
export interface EvidenceKit {
  /** The archive or folder, as the supplier knows it. */
  readonly path: string
  readonly kitId: string | undefined
  readonly issuer: string | undefined
  readonly issuedAt: string | undefined
  readonly verdict: Verdict
}
