import {
  Measure,
  isObjectName,
  type ListedObject,
  newObjectName,
  type ObjectStore,
  ObjectUnreadable,
  PartialLost,
  type ResumableObjects,
} from '../src/objects/object-store.ts'

interface Stored {
  readonly bytes: Uint8Array
  readonly keptAtMs: number
  readonly version: number
}

/** Objects in memory, for tests and tools. */
export function memoryObjects(now: () => number = Date.now): ObjectStore {
  const stored = new Map<string, Stored>()
  let versions = 0

  const put: ObjectStore['put'] = async (content, object = newObjectName()) => {
    const bytes = content instanceof Uint8Array ? new Uint8Array(content) : await collect(content)
    const measure = new Measure()
    measure.update(bytes)
    stored.set(object, { bytes, keptAtMs: now(), version: (versions += 1) })
    return { object, ...measure.result() }
  }

  async function* read(object: string, start = 0, end?: number): AsyncGenerator<Uint8Array> {
    const found = stored.get(object)
    if (found === undefined)
      throw new ObjectUnreadable(object, isObjectName(object) ? 'is missing' : 'is not an object name')
    const stop = end ?? found.bytes.length
    if (stop > found.bytes.length)
      throw new ObjectUnreadable(object, `ends at byte ${found.bytes.length}, before byte ${stop}`)
    if (stop > start) yield found.bytes.slice(start, stop)
  }

  const listed = (object: string): ListedObject | undefined => {
    const found = stored.get(object)
    return found && { object, sizeBytes: found.bytes.length, keptAtMs: found.keptAtMs }
  }

  return {
    put,
    copy: async (object) => (await put(read(object))).object,
    resumable: memoryResumable(put, stored),
    read,
    fingerprint: async (object) => stored.get(object)?.version.toString(),
    inspect: async (object) => listed(object),
    async *list(after = '') {
      for (const name of [...stored.keys()].toSorted()) {
        const found = name > after ? listed(name) : undefined
        if (found !== undefined) yield found
      }
    },
    delete: async (object) => void stored.delete(object),
    sweepTemp: async () => 0,
    check: async () => {},
    isRemote: false,
    close: async () => {},
  }
}

function memoryResumable(put: ObjectStore['put'], stored: ReadonlyMap<string, Stored>): ResumableObjects {
  const parts = new Map<string, Uint8Array>()
  return {
    async append({ object, offset }, content, { commit, atomic }) {
      const before = parts.get(object) ?? new Uint8Array()
      if (before.length < offset) throw new PartialLost(object)
      const added: Uint8Array[] = []
      const store = async (): Promise<{ offset: number; state: string }> => {
        const whole = new Uint8Array(Buffer.concat([before.subarray(0, offset), ...added]))
        parts.set(object, whole)
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
    async finish({ object, sizeBytes }) {
      const bytes = parts.get(object) ?? stored.get(object)?.bytes
      if (bytes?.length !== sizeBytes) throw new PartialLost(object)
      parts.delete(object)
      return put(bytes, object)
    },
    remove: async ({ object }) => void parts.delete(object),
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of content) parts.push(new Uint8Array(piece))
  return new Uint8Array(Buffer.concat(parts))
}
