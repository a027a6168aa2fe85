/** A kit to read: a zip, a folder, an object store. Paths are relative to the kit's folder. */
export interface KitFiles {
  readonly files: readonly KitFile[]
  /** The name of the folder in an archive; undefined if the folder may have any name. */
  readonly folderName?: string | undefined
  /** Why the archive or folder is unreadable or ambiguous. */
  readonly problems: readonly string[]
  /** Reads a small file. */
  read(path: string, limitBytes: number): Promise<Uint8Array>
  /** Hashes the wanted files, once, in any order. */
  measure(order: MeasureRequest): Promise<Measurements>
}

export interface KitFile {
  readonly path: string
  readonly sizeBytes: number
}

export interface MeasureRequest {
  readonly wanted: (path: string) => boolean
  /** Signed CRC-32s, which need not be computed. */
  readonly trustedCrc32: ReadonlyMap<string, number>
}

export interface Measurements {
  /** SHA-256 in hex of each wanted file that could be read, by path. */
  readonly sha256: ReadonlyMap<string, string>
  /** Problems found while hashing. */
  readonly problems: readonly string[]
}
