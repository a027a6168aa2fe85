import type { RandomAccess } from '@kitseal/kit'
import type { Platform, Scanner } from '@kitseal/examiner'
import { nodeHost } from '@kitseal/kit/node'
import { blockReads, type Reads } from '../objects/block-reads.ts'
import type { ObjectStore, StoredObject, StoredRange } from '../objects/object-store.ts'
import { randomAccess } from '../objects/chunks.ts'

export interface EvidenceContext {
  readonly objects: ObjectStore
  /** Undefined if none is configured. The report says whether files were scanned. */
  readonly scanner?: Scanner | undefined
}

/** The platform of the service: content in the object store. */
export function objectPlatform({ objects, scanner }: EvidenceContext) {
  const stored = new Map<string, StoredObject>()
  return {
    host: nodeHost,
    async store(content) {
      const put = await objects.put(content)
      stored.set(put.object, put)
      const { object, sizeBytes } = put
      return {
        object,
        source: objectSource(objects, { object, offset: 0, sizeBytes }),
        discard: () => objects.delete(object),
      }
    },
    scanner,
    /** What was stored, by name. */
    stored,
  } satisfies Platform & { readonly stored: ReadonlyMap<string, StoredObject> }
}

export function objectSource(objects: Reads, { object, offset, sizeBytes }: StoredRange): RandomAccess {
  const near = blockReads(objects, new Map([[object, offset + sizeBytes]]))
  return randomAccess(sizeBytes, (start, end) => near.read(object, offset + start, offset + end))
}
