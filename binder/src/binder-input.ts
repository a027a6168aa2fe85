import type { Language, ProvenanceEntry, Supplier } from '@kitseal/kit/internal'

export interface BinderFile {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly mediaType: string
}

/** Something that the service noticed in the evidence. */
export interface BinderFinding {
  /** The files that it is about. Empty for all of them. */
  readonly paths: readonly string[]
  readonly message: string
  readonly acknowledged: boolean
}

/** An item that was asked for, and the files that people put there or confirmed. */
export interface BinderItem {
  readonly id: string
  readonly title: string
  /** Why there is no file, or what was said about it. */
  readonly note?: string | undefined
  readonly files: readonly string[]
}

export interface BinderInput {
  readonly kitId: string
  readonly jobId: string
  readonly scope: string
  readonly issuer: string
  /** The fingerprint of the key that signs the receipt. */
  readonly kid: string
  readonly issuedAt: string
  readonly receiptVersion: string
  /** The page of the service that verifies kits in a browser. */
  readonly verifyUrl: string
  /** Whose evidence it is, as in the intake report. */
  readonly supplier?: Supplier | null
  /** It came through open intake: nobody is known to have made it. */
  readonly isAnonymous?: boolean
  /** Who asked for the evidence, if it came through the link of a request. */
  readonly requestedBy?: Supplier
  readonly workspace?: string
  readonly label?: string
  readonly profile?: string
  /** The kit that this one replaces, because its signing key was revoked. */
  readonly replacesKitId?: string
  /** English if it is not given. */
  readonly language?: Language
  readonly files: readonly BinderFile[]
  readonly findings?: readonly BinderFinding[]
  readonly items?: readonly BinderItem[]
  /** Where the evidence came from, as in reports/provenance.json. */
  readonly provenance?: readonly ProvenanceEntry[]
}
