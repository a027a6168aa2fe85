import type { RandomAccess } from '@kitseal/kit'
import type { Scanner, Surroundings } from '@kitseal/evidence'
import { inflateInPieces } from '@kitseal/evidence/node'
import { nodeHost } from '@kitseal/kit/node'
import { blockReads, type Reads } from '../objects/block-reads.ts'
import { gather, giveBack } from '../objects/own-memory.ts'
import type { ObjectStore } from '../objects/object-store.ts'

export interface EvidenceContext {
  readonly objects: ObjectStore
  /** Undefined if no virus scanner is configured; the report then says that evidence was not scanned. */
  readonly scanner?: Scanner | undefined
}

/** The rules in the service: content lies in the object store, and Node inflates. */
export function objectSurroundings({ objects, scanner }: EvidenceContext): Surroundings {
  return {
    host: nodeHost,
    // A store that sends pieces on holds them for longer than they are lent.
    ...(objects.isRemote ? {} : { free: freeInflated }),
    inflate: inflateInPieces,
    async setAside(content) {
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
  return {
    sizeBytes,
    read(offset, length) {
      const end = Math.min(offset + length, sizeBytes)
      return gather(near.read(sha256, offset, end), end - offset)
    },
    done: giveBack,
  }
}

/** Node gives each of them memory of its own. */
function freeInflated({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
