import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  isObjectName,
  type ListedObject,
  ObjectUnreadable,
  type ObjectStore,
  type StagedObject,
} from '../src/objects/object-store.ts'
import { PartialLost, type ResumableObjects } from '../src/objects/resumable-objects.ts'

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
    resumable: memoryResumable(stage),
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

function memoryResumable(stage: ObjectStore['stage']): ResumableObjects {
  const parts = new Map<string, Uint8Array>()
  return {
    async append({ id, offset }, content, { commit, atomic }) {
      const before = parts.get(id) ?? new Uint8Array()
      if (before.length < offset) throw new PartialLost(id)
      const added: Uint8Array[] = []
      const store = async (): Promise<{ offset: number; state: string }> => {
        const whole = new Uint8Array(Buffer.concat([before.subarray(0, offset), ...added]))
        parts.set(id, whole)
        const progress = { offset: whole.length, state: '' }
        if (added.length > 0) await commit(progress)
        return progress
      }
      try {
        for await (const chunk of content) added.push(new Uint8Array(chunk))
      } catch (error) {
        if (!atomic) await store()
        throw error
      }
      return store()
    },
    async finish({ id, sizeBytes }) {
      const bytes = parts.get(id)
      if (bytes?.length !== sizeBytes) throw new PartialLost(id)
      return stage(bytes)
    },
    remove: async ({ id }) => void parts.delete(id),
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of content) parts.push(new Uint8Array(piece))
  return new Uint8Array(Buffer.concat(parts))
}
