import type { RandomAccess } from '@kitseal/kit'
import type { Platform, Scanner } from '@kitseal/examiner'
import { nodeHost } from '@kitseal/kit/node'
import { blockReads, type Reads } from '../objects/block-reads.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { randomAccess } from '../objects/chunks.ts'

export interface EvidenceContext {
  readonly objects: ObjectStore
  /** Undefined if none is configured. The report says whether files were scanned. */
  readonly scanner?: Scanner | undefined
}

/** The platform of the service: content in the object store. */
export function objectPlatform({ objects, scanner }: EvidenceContext): Platform {
  return {
    host: nodeHost,
    async store(content) {
      const { sha256, sizeBytes } = await objects.put(content)
      return {
        object: sha256,
        source: objectSource(objects, sha256, sizeBytes),
        discard: () => objects.delete(sha256),
      }
    },
    scanner,
  }
}

export function objectSource(objects: Reads, sha256: string, sizeBytes: number): RandomAccess {
  const near = blockReads(objects, new Map([[sha256, sizeBytes]]))
  return randomAccess(sizeBytes, (start, end) => near.read(sha256, start, end))
}
