/** The limits of one submission. Plans may set other values. */
export interface EvidenceLimits {
  /** Unpacked files and folders, including those in nested archives. */
  readonly entries: number
  readonly unpackedBytes: number
  /** Unpacked bytes per uploaded byte. */
  readonly ratio: number
  /** Levels of archives inside an uploaded archive. */
  readonly nesting: number
  readonly blockers: number
}

export const DEFAULT_LIMITS: EvidenceLimits = {
  entries: 10_000,
  unpackedBytes: 1024 ** 3,
  ratio: 200,
  nesting: 2,
  blockers: 500,
}

/** For all uploads of one submission together, unless its plan sets another limit. */
export const DEFAULT_UPLOAD_BYTES = 104_857_600

/** Up to this size, an archive may unpack to any multiple of its own: small ones of blank tables do. */
export const RATIO_FLOOR_BYTES = 10 * 1024 * 1024

// Limits of the parsers, the same for every plan.

/** Files up to this size are kept in memory while they are examined. */
export const SMALL_BYTES = 1024 * 1024
export const HEAD_BYTES = 8192
/** The output of known tools is read up to here: JSON as a whole, XML element by element. Larger files have no summary. */
export const RECOGNISED_JSON_BYTES = 16 * 1024 * 1024
export const RECOGNISED_TOTAL_BYTES = 128 * 1024 * 1024
/** Checksum lists stay in memory until all files are known. */
export const LISTS_TOTAL_BYTES = 8 * 1024 * 1024
/** The directory of a supplied archive is read this far, so that its names are checked even if it has too many entries. */
export const DIRECTORY_ENTRIES = 50_000
export const DIRECTORY_BYTES = 16 * 1024 * 1024

// Budgets are in work, so that the result does not depend on the machine: bytes that are read, and what each part costs
// beside its bytes. What exceeds them is not examined. Honest evidence uses less than a tenth.

/** Parts of one file: attachments of a message, parts of a document. */
export const FILE_PARTS = 20_000
export const TOTAL_PARTS = 100_000
/** One more part for this many uploaded bytes. */
export const BYTES_PER_PART = 500
/** Reading a part costs as much as this many bytes. */
export const PART_WORK = 4096
export const TOTAL_WORK = 512 * 1024 * 1024
/** For each uploaded byte. */
export const WORK_PER_BYTE = 40
/** Files of unknown types that are described. */
export const MAX_DESCRIBED = 1000
/** What one check may read of its file again, for each byte and in all. */
export const READS_PER_BYTE = 16
export const FILE_READS = 16 * 1024 * 1024
