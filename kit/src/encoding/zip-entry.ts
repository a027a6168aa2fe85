/** One entry of the central directory. */
export interface ZipEntry {
  readonly name: string
  readonly isFolder: boolean
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
