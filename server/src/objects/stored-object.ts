/** What is stored under a name, as it was measured on the way. */
export interface StoredObject extends Measured {
  readonly object: string
}

export interface Measured {
  readonly sha256: string
  readonly sizeBytes: number
  /** For zip entries. */
  readonly crc32: number
}

/** Where bytes lie: files are ranges of objects. */
export interface StoredRange {
  readonly object: string
  readonly offset: number
  readonly sizeBytes: number
}
