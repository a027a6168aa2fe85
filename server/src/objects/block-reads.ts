import type { ObjectStore } from './object-store.ts'
import { readFully } from './chunks.ts'

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

  const readBlock = (object: string, start: number, end: number): Promise<Uint8Array> =>
    readFully(objects, object, start, end)

  function block(object: string, index: number, end: number): Promise<Uint8Array> {
    const name = `${object} ${index}`
    const from = index * BLOCK_BYTES
    const found = blocks.get(name) ?? readBlock(object, from, Math.min(end, from + BLOCK_BYTES))
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
