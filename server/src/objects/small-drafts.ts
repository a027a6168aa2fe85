import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { writeSmallFile } from './blocking-files.ts'
import type { StoredObject } from './stored-object.ts'

/** Each has an open file. */
const MAX_SYNCING = 16

export interface SmallDraft extends StoredObject {
  /** The content is durable once it resolves. */
  readonly synced: Promise<void>
}

/** Writes small files without waiting for their syncs, unless many are under way. So the files of one upload are synced at the same time. */
export function smallDrafts(): (path: string, content: Uint8Array) => Promise<SmallDraft> {
  const syncing = new Set<Promise<void>>()
  return async (path, content) => {
    const { synced } = writeSmallFile(path, content)
    syncing.add(synced)
    // A draft that is discarded need not be synced.
    const ended = synced.catch(() => {}).then(() => void syncing.delete(synced))
    if (syncing.size > MAX_SYNCING) await ended
    const sha256 = hash('sha256', content)
    return { sha256, sizeBytes: content.byteLength, crc32: crc32(content), synced }
  }
}
