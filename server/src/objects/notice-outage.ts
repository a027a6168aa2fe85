import type { Reads } from './block-reads.ts'
import { ObjectsUnavailable } from './object-store.ts'

export interface Noticing extends Reads {
  /** Throws what the store failed at, where it did. */
  refuseOutage(): void
}

/**
 * For readers that turn whatever they meet into a finding about a kit: a store that does not answer says nothing about
 * any kit, and is told apart afterwards.
 */
export function noticeOutage(objects: Reads): Noticing {
  let outage: ObjectsUnavailable | undefined

  async function* read(sha256: string, start?: number, end?: number): AsyncGenerator<Uint8Array> {
    try {
      yield* objects.read(sha256, start, end)
    } catch (error) {
      if (error instanceof ObjectsUnavailable) outage = error
      throw error
    }
  }

  return {
    isRemote: objects.isRemote ?? false,
    read,
    refuseOutage: () => {
      if (outage !== undefined) throw outage
    },
  }
}
