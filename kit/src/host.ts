/** What the environment hands in. Node brings node:crypto and zlib; a page brings WebCrypto and kit's own code (web-host.ts). */
export interface Host {
  /** SHA-256 of something small, at once. */
  digest(bytes: Uint8Array): Uint8Array
  /** A SHA-256 for content of any length. */
  sha256(): Sha256
  crc32(bytes: Uint8Array, seed: number): number
  /**
   * Pure Ed25519 (RFC 8032). It is asked only after kit has refused low-order and non-canonical points and a
   * non-canonical S, on which platforms disagree.
   */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>
  /**
   * Inflates a small raw deflate stream at once, or undefined where it is broken, is followed by bytes that belong to
   * nothing, or does not inflate to exactly `sizeBytes`. Optional: DecompressionStream serves where it is missing.
   */
  inflate?(deflated: Uint8Array, sizeBytes: number): Uint8Array | undefined
}

export interface Sha256 {
  update(bytes: Uint8Array): void
  digest(): Uint8Array | Promise<Uint8Array>
}
