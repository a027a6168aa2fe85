import type { RandomAccess } from '@kitseal/kit'
import { type ObjectStore, ObjectsUnavailable } from './object-store.ts'

export type Reads = Pick<ObjectStore, 'read'> & Partial<Pick<ObjectStore, 'isRemote'>>

const BLOCK_BYTES = 512 * 1024
const MAX_BLOCKS = 4

/**
 * Read-ahead for a remote store: small reads fetch a whole block, and the last few blocks are cached. `ends` has the
 * known size of each object. Create a new one to see the current content of the store.
 */
export function blockReads(objects: Reads, ends: ReadonlyMap<string, number>): Reads {
  if (objects.isRemote !== true) return objects
  const blocks = new Map<string, Promise<Uint8Array>>()

  function block(object: string, index: number, end: number): Promise<Uint8Array> {
    const name = `${object} ${index}`
    const from = index * BLOCK_BYTES
    const found = blocks.get(name) ?? readFully(objects, object, from, Math.min(end, from + BLOCK_BYTES))
    found.catch(() => blocks.delete(name))
    blocks.delete(name)
    blocks.set(name, found)
    for (const oldest of blocks.keys()) {
      if (blocks.size <= MAX_BLOCKS) break
      blocks.delete(oldest)
    }
    return found
  }

  async function* readSmall(
    object: string,
    start: number,
    end: number,
    known: number,
  ): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end;) {
      const index = Math.floor(at / BLOCK_BYTES)
      const from = index * BLOCK_BYTES
      const part = (await block(object, index, known)).subarray(at - from, end - from)
      yield part
      at += part.length
    }
  }

  return {
    read(object, start = 0, end) {
      const known = ends.get(object)
      const isSmall = end !== undefined && end - start <= BLOCK_BYTES / 2
      if (!isSmall || known === undefined || end > known) return objects.read(object, start, end)
      return readSmall(object, start, end, known)
    },
  }
}

/** The minimum size of each object, from the parts that lie in it. */
export function endsOf(
  parts: Iterable<{ readonly object: string; readonly offset: number; readonly sizeBytes: number }>,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { object, offset, sizeBytes } of parts)
    ends.set(object, Math.max(ends.get(object) ?? 0, offset + sizeBytes))
  return ends
}

/** Remembers outages, for readers that report every read error as a problem with the kit. */
export function detectOutage(objects: Reads) {
  let outage: ObjectsUnavailable | undefined

  async function* read(object: string, start?: number, end?: number): AsyncGenerator<Uint8Array> {
    try {
      yield* objects.read(object, start, end)
    } catch (error) {
      if (error instanceof ObjectsUnavailable) outage = error
      throw error
    }
  }

  return {
    isRemote: objects.isRemote ?? false,
    read,
    /** Throws if the store was unavailable during any read. */
    throwIfUnavailable: (): void => {
      if (outage !== undefined) throw outage
    },
  }
}

/** In the order of the names; undefined for missing objects. */
export type Fingerprints = readonly (string | undefined)[]

export const fingerprintsOf = (objects: ObjectStore, names: readonly string[]): Promise<Fingerprints> =>
  Promise.all(names.map((name) => objects.fingerprint(name)))

/** Collects up to `length` bytes in one buffer. */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  let whole: Uint8Array | undefined
  let filled = 0
  for await (const bytes of chunks) {
    if (filled === 0 && bytes.length === length) return bytes
    whole ??= new Uint8Array(length)
    whole.set(bytes, filled)
    filled += bytes.length
  }
  return whole?.subarray(0, filled) ?? new Uint8Array(0)
}

/** Reads a range of an object into memory. */
export function readFully(
  objects: Pick<ObjectStore, 'read'>,
  object: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  return collectChunks(objects.read(object, start, end), end - start)
}

/** Random access to content that is read by range. */
export function randomAccess(
  sizeBytes: number,
  readRange: (start: number, end: number) => AsyncIterable<Uint8Array>,
): RandomAccess {
  return {
    sizeBytes,
    read(offset, length) {
      const end = Math.min(offset + length, sizeBytes)
      return collectChunks(readRange(offset, end), end - offset)
    },
  }
}
