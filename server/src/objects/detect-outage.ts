import type { Reads } from './block-reads.ts'
import { ObjectsUnavailable } from './object-store.ts'

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
