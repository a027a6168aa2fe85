import { textOf, type Why } from '../texts/english.ts'

/** The records of the zip format (APPNOTE 6.3) that kits use, shared by the writer and the reader. */
export const LOCAL_HEADER = 0x04034b50
export const CENTRAL_HEADER = 0x02014b50
export const END_RECORD = 0x06054b50
export const ZIP64_END_RECORD = 0x06064b50
export const ZIP64_LOCATOR = 0x07064b50
export const DATA_DESCRIPTOR = 0x08074b50

export const LOCAL_HEADER_BYTES = 30
export const CENTRAL_HEADER_BYTES = 46
export const END_RECORD_BYTES = 22
export const ZIP64_END_RECORD_BYTES = 56
export const ZIP64_LOCATOR_BYTES = 20

export const ZIP64_EXTRA = 0x0001
export const FULL_16 = 0xffff
export const FULL_32 = 0xffffffff

export const STORED = 0
export const DEFLATED = 8
/** Bits of the flags that mean nothing. */
export const UNUSED_FLAGS = 0xc780
export const UTF8_NAMES = 0x0800

/**
 * "Version made by" of every entry of an issued kit.zip: Unix, specification 6.2. No common tool writes it, so an
 * archive with it claims to be an issued one, and its headers must have exactly the issued form.
 */
export const ISSUED_MADE_BY = 0x033e
/** A regular file with mode 0644, in the high half of the external attributes. */
export const ISSUED_ATTRIBUTES = (0o100644 << 16) >>> 0
export const VERSION_PLAIN = 20
export const VERSION_ZIP64 = 45

export function hasZip64Size(sizeBytes: number): boolean {
  return sizeBytes >= FULL_32
}

/** The DOS time and date fields of a time, in UTC. Their resolution is two seconds. */
export function dosTime(instant: string): { readonly time: number; readonly date: number } {
  const at = new Date(instant)
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

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

export type ZipProblemKind =
  | 'unreadable'
  | 'encrypted'
  | 'link'
  | 'special'
  | 'method'
  | 'same_name'
  | 'name'
  | 'limit'

/** Why an archive is unreadable or ambiguous. */
export class ZipProblem extends Error {
  readonly kind: ZipProblemKind
  readonly why: Why

  constructor(why: Why, kind: ZipProblemKind = 'unreadable') {
    super(textOf(why))
    this.why = why
    this.name = 'ZipProblem'
    this.kind = kind
  }
}

/** How an archive is read. */
export interface ZipReading {
  /** Accepts forms that common tools write and all programs read in the same way. */
  readonly isTolerant: boolean
  readonly maxEntries: number
  readonly maxDirectoryBytes: number
  /** Decodes a name that is not UTF-8 or not marked as such. Undefined if programs could decode it differently. */
  otherName(bytes: Uint8Array, unicodePath: Uint8Array | undefined): string | undefined
  /** Called for what is not well-formed, but common programs read in one way. */
  irregular(what: string): void
  /** Called for an entry that cannot be read, or not in one way. */
  entryProblem(entry: ZipEntry, problem: ZipProblem): void
}

/** For what comes after the directory. */
export type EntryReading = Pick<ZipReading, 'isTolerant' | 'irregular'>

/** A kit is read strictly. It has as many entries as its directory has room for. */
export const KIT_READING: ZipReading = {
  isTolerant: false,
  maxEntries: Infinity,
  maxDirectoryBytes: 256 * 1024 * 1024,
  otherName: () => undefined,
  irregular(what) {
    throw new ZipProblem(what)
  },
  entryProblem(_, problem) {
    throw problem
  },
}
