/** A stored object. `crc32` is needed for zip entries. */
export interface StoredObject {
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
}

/** Content that is written but not yet visible. Call `keep` or `discard` once. */
export interface StagedObject extends StoredObject {
  /** Makes the object visible. Durable once the promise resolves. */
  keep(): Promise<void>
  discard(): Promise<void>
}
