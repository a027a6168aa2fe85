import type { ZipEntry } from './zip-entry.ts'
import { ZipProblem } from './zip-problem.ts'

/**
 * What a reader accepts beyond the strict format. Kits use KIT_TOLERANCE, which accepts nothing. Evidence comes from many
 * tools: there, unusual forms are accepted that common tools write and all programs read in the same way.
 */
export interface ZipTolerance {
  /** UTF-8 names without the UTF-8 flag, in archives made on Unix (Info-ZIP, macOS). */
  readonly unmarkedUtf8: boolean
  readonly entryComments: boolean
  /** Folder entries with two bytes of deflated nothing (Java). */
  readonly deflatedFolders: boolean
  /** Different "version needed" in the two headers (writers of zip64). */
  readonly versionsMayDiffer: boolean
  /** Local headers with some of the values of the data descriptor (Info-ZIP in a pipe). */
  readonly partlyLateSizes: boolean
  /** Different times in the two headers (.NET). */
  readonly timesMayDiffer: boolean
  /** A zip64 field that repeats the sizes, or is all zero, where it is not needed (Apple's documents). */
  readonly unusedZip64: boolean
  /** Content that is marked as a pipe, because `zip -` read it from one. Programs unpack it as a file. */
  readonly pipedContent: boolean
  /** Up to 16 line breaks, spaces or NUL bytes behind the archive. */
  readonly trailingBlanks: boolean
  /** Decodes a name that is not UTF-8 or not marked as such. Undefined if programs could decode it differently. */
  readonly otherName?: (bytes: Uint8Array, unicodePath: Uint8Array | undefined) => string | undefined
  /** Called for what is not well-formed, but common programs read in one way. Without it, that is a problem. */
  readonly onIrregular?: (what: string) => void
  readonly maxEntries: number
  readonly maxDirectoryBytes: number
  /** Called for each problem with an entry. Without it, the first problem is thrown. */
  readonly onEntryProblem?: (entry: ZipEntry, problem: ZipProblem) => void
}

/** Reports what common programs read in one way, or throws it. */
export function irregular({ onIrregular }: ZipTolerance, what: string): void {
  if (onIrregular === undefined) throw new ZipProblem(what)
  onIrregular(what)
}

export const KIT_TOLERANCE: ZipTolerance = {
  unmarkedUtf8: false,
  entryComments: false,
  deflatedFolders: false,
  versionsMayDiffer: false,
  partlyLateSizes: false,
  timesMayDiffer: false,
  unusedZip64: false,
  pipedContent: false,
  trailingBlanks: false,
  maxEntries: Infinity,
  maxDirectoryBytes: 256 * 1024 * 1024,
}
