import type { FileType } from './file-types.ts'
import type { RecognisedOutput } from './recognise/recognise.ts'

/** A file that goes into the kit. */
export interface ExaminedFile {
  /** The path in the kit, under data/. */
  readonly path: string
  /** The path as the supplier knows it. */
  readonly displayPath: string
  /** The supplied file that it is, or was unpacked from. */
  readonly from: string
  readonly sha256: string
  readonly crc32: number
  readonly sizeBytes: number
  /** The stored object that contains it, at `offset`. */
  readonly object: string
  readonly offset: number
  readonly type: FileType
  readonly detectedBy: string
  readonly notes: readonly string[]
  /** Totals of the files inside an archive. */
  readonly inside?: InsideReport | undefined
  /** The text of a small checksum list. */
  readonly checksumList?: string | undefined
  /** What the output of a known tool says about itself. */
  readonly recognised?: RecognisedOutput | undefined
}

export interface InsideReport {
  readonly files: number
  readonly bytes: number
  /** What the only file inside says about itself. */
  readonly recognised?: RecognisedOutput | undefined
}
