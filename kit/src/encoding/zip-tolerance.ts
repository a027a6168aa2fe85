import type { ZipEntry } from './zip-entry.ts'
import type { ZipProblem } from './zip-fields.ts'

/**
 * How an archive is read. A kit is read as KIT_TOLERANCE says: nothing is forgiven. Evidence comes out of many tools;
 * what is forgiven there is what they really write and what every reader takes in the same way.
 */
export interface ZipTolerance {
  /** A name in UTF-8 that is not marked as such, in an archive made on Unix: Info-ZIP and macOS write those. */
  readonly unmarkedUtf8: boolean
  readonly entryComments: boolean
  /** Folder entries whose nothing was deflated into two bytes: Java writes those. */
  readonly deflatedFolders: boolean
  /** The version of the format that an entry needs, told in two ways: writers of zip64 do that. */
  readonly versionsMayDiffer: boolean
  /** Of the CRC and sizes that follow the data, some stand before it already: Info-ZIP does that in a pipe. */
  readonly partlyLateSizes: boolean
  readonly maxEntries: number
  readonly maxDirectoryBytes: number
  /** Takes what is wrong with one entry, and reading goes on. Without it the first problem is thrown. */
  readonly onEntryProblem?: (entry: ZipEntry, problem: ZipProblem) => void
}

export const KIT_TOLERANCE: ZipTolerance = {
  unmarkedUtf8: false,
  entryComments: false,
  deflatedFolders: false,
  versionsMayDiffer: false,
  partlyLateSizes: false,
  maxEntries: Infinity,
  maxDirectoryBytes: 256 * 1024 * 1024,
}
