export interface BinderFile {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly mediaType: string
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
  /** Where a kit can be checked in a browser. */
  readonly verifyUrl: string
  readonly workspace?: string
  readonly label?: string
  readonly profile?: string
  readonly files: readonly BinderFile[]
  /** The bytes of a PNG or JPEG file; undefined where there is nothing to show. */
  readonly images: (path: string) => Promise<Uint8Array | undefined>
}
