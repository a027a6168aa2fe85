/** Where a kit is read from: a zip, a folder, a store. Paths are relative to the kit's own folder. */
export interface KitFiles {
  readonly files: readonly KitFile[]
  /** The name of the folder in an archive; undefined where the kit's folder may be named freely. */
  readonly folderName?: string | undefined
  /** What is already known to make the container unreadable, or readable in two ways. */
  readonly problems: readonly string[]
  /** The whole content of a small file. */
  read(path: string, limitBytes: number): Promise<Uint8Array>
  /** Hashes the files that are wanted, once, in whatever order is fastest. */
  measure(order: MeasureRequest): Promise<Measurements>
}

export interface KitFile {
  readonly path: string
  readonly sizeBytes: number
}

export interface MeasureRequest {
  readonly wanted: (path: string) => boolean
  /** CRC-32s that the signed content of the kit vouches for. */
  readonly trustedCrc32: ReadonlyMap<string, number>
}

export interface Measurements {
  /** SHA-256 in hex, by path, of each wanted file that could be read. */
  readonly sha256: ReadonlyMap<string, string>
  /** What made the container unreadable, or readable in two ways, on the way. */
  readonly problems: readonly string[]
}
