import type { StoredObject } from './stored-object.ts'

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
