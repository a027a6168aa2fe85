import { randomBytes, createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Each object has one owner and a name that is used once. It appears with all of its bytes or not at all, and never changes.
 * Readers check hashes themselves.
 */
export interface ObjectStore {
  /** Stores `content`. Durable once the promise resolves; if it rejects, nothing is stored. `object`: of a copy that keeps its name. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, object?: string): Promise<StoredObject>
  /** The same bytes under another name, which is returned. */
  copy(object: string): Promise<string>
  /**
   * Reads the bytes from `start` up to, not including, `end`. The reader owns the chunks. Throws `ObjectUnreadable` if
   * the object is missing or too short.
   */
  read(object: string, start?: number, end?: number): AsyncIterable<Uint8Array>
  readonly resumable: ResumableObjects
  /** Cheap change detection: differs after the stored bytes were modified; undefined if the object is missing. */
  fingerprint(object: string): Promise<string | undefined>
  /** Size and age; undefined if the object is missing. */
  inspect(object: string): Promise<ListedObject | undefined>
  /** All objects in name order, or those after `after`. */
  list(after?: string): AsyncIterable<ListedObject>
  /** Does nothing if the object is missing. */
  delete(object: string): Promise<void>
  /** Removes what processes that crashed have left unfinished; returns how much. */
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
  readonly object: string
  readonly sizeBytes: number
  /** By the store's clock. */
  readonly keptAtMs: number
}

/** Temp files older than this are abandoned. */
export const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

const NAME_BYTES = 16

/** Random, so that it is used once. */
export const newObjectName = (): string => randomBytes(NAME_BYTES).toString('hex')

export const isObjectName = (object: string): boolean => /^[0-9a-f]{32}$/.test(object)

/** The object is missing, truncated or damaged. */
export class ObjectUnreadable extends Error {
  override readonly name = 'ObjectUnreadable'
  readonly object: string

  /** `why` may be shown to callers, so it contains no paths. */
  constructor(object: string, why: string, cause?: unknown) {
    super(`object ${object.slice(0, 64)} ${why}`, { cause })
    this.object = object
  }
}

/** For the log of the operator. */
export const LOST_OBJECT =
  'a stored object is missing or damaged: run "kitseal admin scrub" and restore what it names from a backup'

/** The store cannot be used right now. Says nothing about any object; retry later. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable'

  constructor(why: string, cause?: unknown) {
    super(`the object store ${why}`, { cause })
  }
}

/** What is stored under a name, as it was measured on the way. */
export interface StoredObject extends Measured {
  readonly object: string
}

export interface Measured {
  readonly sha256: string
  readonly sizeBytes: number
  /** For zip entries. */
  readonly crc32: number
}

/** Where bytes lie: files are ranges of objects. */
export interface StoredRange {
  readonly object: string
  readonly offset: number
  readonly sizeBytes: number
}

/**
 * Content that arrives over several requests. Its owner keeps the record; what the store holds beyond `offset` was never
 * acknowledged and is overwritten.
 */
export interface PartialObject {
  /** The name that it will have. */
  readonly object: string
  /** Of the whole content. */
  readonly sizeBytes: number
  /** How much is stored. */
  readonly offset: number
  /** What the store needs to continue, in its own form. Empty at first. */
  readonly state: string
}

export type PartialProgress = Pick<PartialObject, 'offset' | 'state'>

export interface AppendOptions {
  /** Called when the bytes up to `offset` are durable. The store continues once it resolves. */
  readonly commit: (progress: PartialProgress) => Promise<void>
  /** Commits all of the content or nothing, because its checksum is known at its end. */
  readonly atomic: boolean
}

/** Objects that are received in pieces, at any node that uses the store. One writer at a time. */
export interface ResumableObjects {
  /** Stores content after `offset`. If reading it fails, what arrived is stored and committed first, unless `atomic`. */
  append(
    partial: PartialObject,
    content: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<PartialProgress>
  /** Makes complete content an object. It can be called again after a crash. */
  finish(partial: PartialObject): Promise<StoredObject>
  /** Removes what is stored of an object that is not complete. Does nothing if that is gone already. */
  remove(partial: Pick<PartialObject, 'object' | 'state'>): Promise<void>
}

/** Partial content without a record is removed after this time: longer than any upload is accepted. */
export const PARTIAL_ABANDONED_AFTER_MS = 15 * 24 * 60 * 60 * 1000

/** The stored part of an upload is missing or too short. It must start over. */
export class PartialLost extends Error {
  override readonly name = 'PartialLost'

  constructor(object: string, cause?: unknown) {
    super(`the stored part of ${object} is missing or too short`, { cause })
  }
}

/** Passes chunks on until the content ends. Returns why it could not be read to the end; throws what `take` throws. */
export async function readAll(
  content: AsyncIterable<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  const chunks = content[Symbol.asyncIterator]()
  for (;;) {
    let next: IteratorResult<Uint8Array>
    try {
      next = await chunks.next()
    } catch (error) {
      return { error }
    }
    if (next.done === true) return undefined
    await take(next.value)
  }
}

/** Size, SHA-256 and CRC-32 of the bytes so far. */
export class Measure {
  at = 0
  #hash: Hash = createHash('sha256')
  #crc = 0

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#crc = crc32(bytes, this.#crc)
    this.at += bytes.length
  }

  async *pass(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      this.update(bytes)
      if (bytes.length > 0) yield bytes
    }
  }

  result(): Measured {
    return { sha256: this.#hash.copy().digest('hex'), sizeBytes: this.at, crc32: this.#crc }
  }
}

/** Measures content without storing it. */
export const measuredOnly: Pick<ObjectStore, 'put' | 'delete'> = {
  delete: async () => {},
  async put(content) {
    const measure = new Measure()
    for await (const bytes of content instanceof Uint8Array ? [content] : content) measure.update(bytes)
    return { object: '', ...measure.result() }
  },
}
