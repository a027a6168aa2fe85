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

/** Bounds that belong to the parsers, not to a plan. */
export const SMALL_BYTES = 1024 * 1024
export const HEAD_BYTES = 8192
/** XML is parsed at some 20 MB/s, a hundredth of the speed of everything else: beyond this it is checked as text. */
export const XML_FILE_BYTES = 16 * 1024 * 1024
export const XML_TOTAL_BYTES = 64 * 1024 * 1024
export const DIRECTORY_BYTES = 16 * 1024 * 1024
