/** Cryptography and decompression of the runtime: node:crypto and zlib in Node, WebCrypto in browsers (web-host.ts). */
export interface Host {
  /** SHA-256 of something small. Text is hashed as UTF-8. */
  digest(data: Uint8Array | string): Uint8Array
  /** Incremental SHA-256. */
  sha256(): Sha256
  crc32(bytes: Uint8Array, seed: number): number
  /** Pure Ed25519 (RFC 8032). Called after points and S were checked, because platforms disagree on edge cases. */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>
  /** A hash of something small, of a time-stamp or a certificate. SHA-1 only identifies certificates. */
  hash(algorithm: HashName | 'SHA-1', bytes: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** RSA and ECDSA, for time-stamps. `spki` is a SubjectPublicKeyInfo. */
  verifySignature(
    algorithm: SignatureAlgorithm,
    spki: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ): boolean | Promise<boolean>
  /**
   * Inflates a small raw deflate stream. Returns undefined if it is corrupt, is followed by other bytes, or does not
   * inflate to exactly `sizeBytes`. Optional: the default is `inflateStream`.
   */
  inflate?(deflated: Uint8Array, sizeBytes: number): Uint8Array | undefined
  /**
   * Inflates raw deflate data. Throws a ZipProblem for data that is corrupt, truncated, followed by other bytes, or
   * does not inflate to exactly `sizeBytes`; stops as soon as more comes out, so that a zip bomb costs nothing.
   */
  inflateStream(deflated: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncIterable<Uint8Array>
}

export interface Sha256 {
  update(bytes: Uint8Array): void
  digest(): Uint8Array | Promise<Uint8Array>
}

export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512'
export type CurveName = 'P-256' | 'P-384' | 'P-521'

/** How a signature is made, for Host.verifySignature(). */
export type SignatureAlgorithm =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName }
  | PssParameters
  /** The signature is r ‖ s, each as long as the field. */
  | { readonly name: 'ECDSA'; readonly hash: HashName; readonly curve: CurveName }

export interface PssParameters {
  readonly name: 'RSA-PSS'
  readonly hash: HashName
  readonly saltLength: number
}
