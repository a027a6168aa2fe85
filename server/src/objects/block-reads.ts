import type { ObjectStore } from './object-store.ts'
import { gather, share } from './own-memory.ts'

export type Reads = Pick<ObjectStore, 'read'> & Partial<Pick<ObjectStore, 'isRemote'>>

const BLOCK_BYTES = 512 * 1024
const BLOCKS_KEPT = 4

/**
 * For one reader of many small parts, where each read is a round trip: what lies near is read along with what is asked
 * for, and kept as long as the reader is. `ends` says how far each object is known to reach. It is no cache of the store:
 * whoever wants to know what lies there now makes a new one.
 */
export function blockReads(objects: Reads, ends: ReadonlyMap<string, number>): Reads {
  if (objects.isRemote !== true) return objects
  const blocks = new Map<string, Promise<Uint8Array>>()

  const readBlock = async (sha256: string, start: number, end: number): Promise<Uint8Array> =>
    share(await gather(objects.read(sha256, start, end), end - start))

  function block(sha256: string, index: number, end: number): Promise<Uint8Array> {
    const name = `${sha256} ${index}`
    const from = index * BLOCK_BYTES
    const found = blocks.get(name) ?? readBlock(sha256, from, Math.min(end, from + BLOCK_BYTES))
    found.catch(() => blocks.delete(name))
    blocks.delete(name)
    blocks.set(name, found)
    for (const oldest of blocks.keys()) {
      if (blocks.size <= BLOCKS_KEPT) break
      blocks.delete(oldest)
    }
    return found
  }

  async function* readSmall(
    sha256: string,
    start: number,
    end: number,
    known: number,
  ): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end;) {
      const index = Math.floor(at / BLOCK_BYTES)
      const from = index * BLOCK_BYTES
      const part = (await block(sha256, index, known)).subarray(at - from, end - from)
      yield part
      at += part.length
    }
  }

  return {
    read(sha256, start = 0, end) {
      const known = ends.get(sha256)
      const isSmall = end !== undefined && end - start <= BLOCK_BYTES / 2
      if (!isSmall || known === undefined || end > known) return objects.read(sha256, start, end)
      return readSmall(sha256, start, end, known)
    },
  }
}

/** How far each object reaches, as far as its parts tell. */
export function endsOf(
  parts: Iterable<{ readonly object: string; readonly offset: number; readonly sizeBytes: number }>,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { object, offset, sizeBytes } of parts)
    ends.set(object, Math.max(ends.get(object) ?? 0, offset + sizeBytes))
  return ends
}
