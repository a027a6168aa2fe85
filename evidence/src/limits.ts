/** How much evidence one submission may hold. Plans may set other values. */
export interface EvidenceLimits {
  /** Files and folders, unpacked, those in archives inside archives and in office files included. */
  readonly entries: number
  readonly unpackedBytes: number
  /** Unpacked bytes for each uploaded one. */
  readonly ratio: number
  /** Archives inside an uploaded archive, one inside the other. */
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

/** Of all uploads of one submission together, where its plan does not say otherwise. */
export const DEFAULT_UPLOAD_BYTES = 104_857_600

/** Bounds that belong to the parsers, not to a plan. */
export const SMALL_BYTES = 1024 * 1024
export const HEAD_BYTES = 8192
/**
 * XML is parsed at some 20 MB/s, YAML at a tenth of that and, where it is all brackets, at a fiftieth: beyond these bounds
 * they are checked as text.
 */
export const XML_FILE_BYTES = 16 * 1024 * 1024
export const PARSED_TOTAL_BYTES = 64 * 1024 * 1024
export const YAML_COST = 16
/** Of brackets and commas, the tree that YAML is read into takes a thousand bytes for each of the file. */
export const YAML_FILE_BYTES = 256 * 1024
/** Lists of checksums are held until all files are known. */
export const LISTS_TOTAL_BYTES = 8 * 1024 * 1024
/** Parts of office files. */
export const OFFICE_FILE_PARTS = 5000
export const OFFICE_TOTAL_PARTS = 100_000
/** How far the directory of a supplied archive is read: its names are held to the rules even where it holds too much. */
export const DIRECTORY_ENTRIES = 50_000
export const DIRECTORY_BYTES = 16 * 1024 * 1024
