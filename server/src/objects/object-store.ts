// docs/decisions/0150
/** What is known about an object once all of it is stored. `crc32` is what a zip entry needs. */
export interface StoredObject {
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
}

/** Bytes that are on disk and have no name yet. One of the two is called, once. */
export interface StagedObject extends StoredObject {
  /** Gives them their name. When it resolves the object survives a power cut. */
  keep(): Promise<void>
  discard(): Promise<void>
}

/**
 * Bytes, kept under the SHA-256 of what they are. An object never changes, so whoever holds its name holds a
 * promise about its content; whether the store still keeps that promise is for the reader to check.
 */
export interface ObjectStore {
  /** Stores all of `content`. When it resolves the object survives a power cut; when it rejects nothing stays. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject>
  /**
   * Stores all of `content` aside: nobody can read it until it is kept. What is refused after it was measured is
   * discarded, and nobody who happens to have the same bytes loses theirs.
   */
  stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject>
  /**
   * The bytes from `start` up to, not including, `end`, in pieces that are the reader's to give back. Throws
   * ObjectUnreadable where any of them is not there.
   */
  read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array>
  has(sha256: string): Promise<boolean>
  /**
   * Changes whenever the stored bytes were touched; undefined where the object is not there. It costs a look, not a
   * read, and says nothing about what the bytes are.
   */
  fingerprint(sha256: string): Promise<string | undefined>
  /** What is there, and since when; undefined where it is not. Keeping the same bytes again makes it new. */
  look(sha256: string): Promise<ListedObject | undefined>
  /** Every object, in the order of the names; where `after` is given, those after it. */
  list(after?: string): AsyncIterable<ListedObject>
  /** Deleting what is not there is no error. */
  delete(sha256: string): Promise<void>
  /**
   * Removes what puts that were cut off by a crash left behind, and says how many. What a living process has in hand
   * is left alone: of this machine it is known which processes live, of others only what is old is taken.
   */
  sweepTemp(): Promise<number>
  /** Throws ObjectsUnavailable where nothing can be read or written now. */
  check(): Promise<void>
  /** Whether each read is a round trip: a reader of many small parts then takes larger ones. */
  readonly isRemote: boolean
  close(): Promise<void>
}

export interface ListedObject {
  readonly sha256: string
  readonly sizeBytes: number
  /** By the clock of the store. */
  readonly keptAtMs: number
}

/** What is set aside and older than this belongs to nobody that lives. */
export const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** The store does not hold the bytes that were asked for: the object is missing, or it is shorter than it was. */
export class ObjectUnreadable extends Error {
  override readonly name = 'ObjectUnreadable'
  readonly sha256: string

  /** `why` is shown to callers: it names no place. */
  constructor(sha256: string, why: string, cause?: unknown) {
    super(`object ${sha256.slice(0, 64)} ${why}`, { cause })
    this.sha256 = sha256
  }
}

/** The store does not answer, or takes nothing: whoever asked may ask again later, and nothing is said of any object. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable'

  constructor(why: string, cause?: unknown) {
    super(`the object store ${why}`, { cause })
  }
}

export function isObjectName(sha256: string): boolean {
  return /^[0-9a-f]{64}$/.test(sha256)
}
