/** One entry of the central directory. */
export interface ZipEntry {
  readonly name: string
  readonly isFolder: boolean
  /** The bytes of a name that `otherName` of the reader decoded. */
  readonly rawName?: Uint8Array
  readonly method: number
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  readonly headerOffset: number
  readonly flags: number
  readonly versionNeeded: number
  readonly time: number
  readonly date: number
  readonly madeBy: number
}
