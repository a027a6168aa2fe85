import type { ResumableObjects } from './resumable-objects.ts'
import type { StagedObject, StoredObject } from './stored-object.ts'

export type { StagedObject, StoredObject } from './stored-object.ts'

/** Content-addressed storage: objects are named by their SHA-256 and never change. Readers check the hash themselves. */
export interface ObjectStore {
  /** Stores `content`. Durable once the promise resolves; if it rejects, nothing is stored. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject>
  /** Stores `content` invisibly until it is kept. Discarding it does not affect an object with the same content. */
  stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject>
  /**
   * Reads the bytes from `start` up to, not including, `end`. The reader owns the chunks. Throws `ObjectUnreadable` if
   * the object is missing or too short.
   */
  read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array>
  readonly resumable: ResumableObjects
  has(sha256: string): Promise<boolean>
  /** Cheap change detection: differs after the stored bytes were modified; undefined if the object is missing. */
  fingerprint(sha256: string): Promise<string | undefined>
  /** Size and age; undefined if the object is missing. Storing the same content again resets the age. */
  inspect(sha256: string): Promise<ListedObject | undefined>
  /** All objects in name order, or those after `after`. */
  list(after?: string): AsyncIterable<ListedObject>
  /** Does nothing if the object is missing. */
  delete(sha256: string): Promise<void>
  /**
   * Removes temp files of processes that crashed; returns how many. On this machine it checks whether the process is
   * alive; files of other machines are removed once they are old.
   */
  sweepTemp(): Promise<number>
  /** Throws `ObjectsUnavailable` if the store cannot be used. */
  check(): Promise<void>
  /** Whether each read is a network request, so that readers should read larger blocks. */
  readonly isRemote: boolean
  /** By how much the clock of this machine was ahead of the store's at the last response, to about a second. */
  skewMs?(): number
  close(): Promise<void>
}

export interface ListedObject {
  readonly sha256: string
  readonly sizeBytes: number
  /** By the store's clock. */
  readonly keptAtMs: number
}

/** Temp files older than this are abandoned. */
export const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** The object is missing, truncated or damaged. */
export class ObjectUnreadable extends Error {
  override readonly name = 'ObjectUnreadable'
  readonly sha256: string

  /** `why` may be shown to callers, so it contains no paths. */
  constructor(sha256: string, why: string, cause?: unknown) {
    super(`object ${sha256.slice(0, 64)} ${why}`, { cause })
    this.sha256 = sha256
  }
}

/** For the log of the operator. */
export const LOST_OBJECT =
  'a stored object is missing or damaged: run "kitseal admin scrub" and restore what it names from a backup'

/** The store cannot be used right now. Says nothing about any object; retry later. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable'
  /** Whether fewer requests at once may help: the store asked for it, or did not answer in time. */
  readonly overload: Overload | undefined

  constructor(why: string, cause?: unknown, overload?: Overload) {
    super(`the object store ${why}`, { cause })
    this.overload = overload
  }
}

export type Overload = 'busy' | 'timeout'

export function isObjectName(sha256: string): boolean {
  return /^[0-9a-f]{64}$/.test(sha256)
}
