import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  isObjectName,
  type ListedObject,
  ObjectUnreadable,
  type ObjectStore,
  type StagedObject,
} from './object-store.ts'

interface Stored {
  readonly bytes: Uint8Array
  readonly keptAtMs: number
  readonly version: number
}

/** Objects in memory, for tests and tools. */
export function memoryObjects(now: () => number = Date.now): ObjectStore {
  const stored = new Map<string, Stored>()
  let versions = 0

  async function stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const bytes = content instanceof Uint8Array ? new Uint8Array(content) : await collect(content)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return {
      sha256,
      sizeBytes: bytes.length,
      crc32: crc32(bytes),
      keep: async () => void stored.set(sha256, { bytes, keptAtMs: now(), version: (versions += 1) }),
      discard: async () => {},
    }
  }

  async function* read(sha256: string, start = 0, end?: number): AsyncGenerator<Uint8Array> {
    const found = stored.get(sha256)
    if (found === undefined)
      throw new ObjectUnreadable(sha256, isObjectName(sha256) ? 'is missing' : 'is not an object name')
    const stop = end ?? found.bytes.length
    if (stop > found.bytes.length)
      throw new ObjectUnreadable(sha256, `ends at byte ${found.bytes.length}, before byte ${stop}`)
    if (stop > start) yield found.bytes.slice(start, stop)
  }

  const listed = (sha256: string): ListedObject | undefined => {
    const found = stored.get(sha256)
    return found && { sha256, sizeBytes: found.bytes.length, keptAtMs: found.keptAtMs }
  }

  return {
    async put(content) {
      const { sha256, sizeBytes, crc32: crc, keep } = await stage(content)
      await keep()
      return { sha256, sizeBytes, crc32: crc }
    },
    stage,
    read,
    has: async (sha256) => stored.has(sha256),
    fingerprint: async (sha256) => stored.get(sha256)?.version.toString(),
    inspect: async (sha256) => listed(sha256),
    async *list(after = '') {
      for (const name of [...stored.keys()].toSorted()) {
        const found = name > after ? listed(name) : undefined
        if (found !== undefined) yield found
      }
    },
    delete: async (sha256) => void stored.delete(sha256),
    sweepTemp: async () => 0,
    check: async () => {},
    isRemote: false,
    close: async () => {},
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of content) parts.push(new Uint8Array(piece))
  return new Uint8Array(Buffer.concat(parts))
}
