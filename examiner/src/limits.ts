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
/**
 * What is not plain is parsed: XML at about 20 MB/s, YAML at a tenth of that, or a fiftieth if it is all brackets. Beyond
 * these limits, files are only checked as text.
 */
export const XML_FILE_BYTES = 16 * 1024 * 1024
export const PARSED_TOTAL_BYTES = 64 * 1024 * 1024
export const YAML_COST = 16
/** The output of known tools is read up to here: JSON as a whole, XML element by element. Larger files have no summary. */
export const RECOGNISED_JSON_BYTES = 16 * 1024 * 1024
export const RECOGNISED_TOTAL_BYTES = 128 * 1024 * 1024
/** The syntax tree of brackets and commas takes a thousand bytes per byte of YAML. */
export const YAML_FILE_BYTES = 256 * 1024
/** Checksum lists stay in memory until all files are known. */
export const LISTS_TOTAL_BYTES = 8 * 1024 * 1024
export const OFFICE_FILE_PARTS = 5000
export const OFFICE_TOTAL_PARTS = 100_000
/** The directory of a supplied archive is read this far, so that its names are checked even if it has too many entries. */
export const DIRECTORY_ENTRIES = 50_000
export const DIRECTORY_BYTES = 16 * 1024 * 1024
