import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { reportDurable } from '../runtime/durable.ts'
import { bufferedWriter, type WriteBuffers } from './buffered-writer.ts'
import type { StoredObject } from './object-store.ts'
import {
  type AppendOptions,
  PartialLost,
  type PartialObject,
  type PartialProgress,
  readAll,
  type ResumableObjects,
} from './resumable-objects.ts'
import { type RunningHash, RunningHashes } from './running-hashes.ts'

/** A crash loses at most this much of a long request. */
const COMMIT_EVERY_BYTES = 32 * 1024 * 1024
const READ_BYTES = 1024 * 1024

export interface FilesystemPlace {
  /** The folder of partial objects. */
  readonly folder: string
  readonly buffers: WriteBuffers
  makeFolder(): Promise<void>
  syncFolder(path: string): Promise<void>
  /** Renames a complete file to the name of its object. */
  keep(path: string, sha256: string): Promise<void>
  /** Turns disk errors into `ObjectsUnavailable`. */
  rethrow(error: unknown): never
}

/** Partial objects as files. They are hashed as they arrive, or read again if another process received the beginning. */
export function filesystemResumable(place: FilesystemPlace): ResumableObjects {
  const hashes = new RunningHashes()
  const catchingUp = new Map<string, Promise<unknown>>()
  const pathOf = (id: string): string => join(place.folder, id)

  async function append(
    partial: PartialObject,
    content: AsyncIterable<Uint8Array>,
    { commit, atomic }: AppendOptions,
  ): Promise<PartialProgress> {
    await using file = await openAt(partial)
    await using writer = bufferedWriter(file, place.buffers, partial.offset)
    // The beginning is read while the rest arrives.
    if (hashes.get(partial.id).at < partial.offset) startCatchingUp(partial)
    const known = hashes.get(partial.id)
    const hash = known.at === partial.offset ? known.copy() : undefined
    let [offset, committed] = [partial.offset, partial.offset]

    const store = async (): Promise<void> => {
      await writer.end()
      await file.datasync()
      reportDurable('file')
      if (offset > committed) await commit({ offset, state: '' })
      committed = offset
      if (hash !== undefined) hashes.keep(partial.id, hash.copy())
    }
    const failure = await readAll(content, async (chunk) => {
      hash?.update(chunk)
      await writer.write(chunk)
      offset += chunk.length
      if (!atomic && offset - committed >= COMMIT_EVERY_BYTES) await store()
    })
    if (failure !== undefined && atomic) throw failure.error
    await store()
    if (failure !== undefined) throw failure.error
    return { offset, state: '' }
  }

  async function openAt({ id, offset }: PartialObject) {
    const path = pathOf(id)
    if (offset > 0) {
      const found = await stat(path).catch(() => undefined)
      if (found === undefined || found.size < offset) throw new PartialLost(id)
    } else {
      await place.makeFolder()
    }
    const file = await open(path, offset > 0 ? 'r+' : 'w', 0o600)
    try {
      await file.truncate(offset)
      if (offset === 0) await place.syncFolder(place.folder)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  function startCatchingUp(partial: PartialObject): void {
    if (catchingUp.has(partial.id)) return
    const reading = measure(partial.id, partial.offset)
      // Tried again, and reported, when the upload is complete.
      .catch(() => {})
      .finally(() => catchingUp.delete(partial.id))
    catchingUp.set(partial.id, reading)
  }

  /** Hashes the stored bytes up to `end` that are not hashed yet. */
  async function measure(id: string, end: number): Promise<StoredObject> {
    const hash = hashes.get(id).copy()
    if (hash.at < end) await hashFile(pathOf(id), hash, end)
    hashes.keep(id, hash)
    return hash.result()
  }

  async function remove(id: string): Promise<void> {
    hashes.forget(id)
    await rm(pathOf(id), { force: true })
  }

  return {
    append: (partial, content, options) => append(partial, content, options).catch(place.rethrow),
    finish: async ({ id, sizeBytes }) => {
      await catchingUp.get(id)
      const found = await stat(pathOf(id)).catch(() => undefined)
      if (found?.size !== sizeBytes) throw new PartialLost(id)
      const measured = await measure(id, sizeBytes).catch(place.rethrow)
      return {
        ...measured,
        keep: async () => {
          await place.keep(pathOf(id), measured.sha256)
          hashes.forget(id)
        },
        discard: () => remove(id),
      }
    },
    remove: ({ id }) => remove(id),
  }
}

async function hashFile(path: string, hash: RunningHash, end: number): Promise<void> {
  await using file = await open(path, 'r')
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  while (hash.at < end) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - hash.at), hash.at)
    if (bytesRead === 0) throw new Error(`the file ends at byte ${hash.at}, before byte ${end}`)
    hash.update(buffer.subarray(0, bytesRead))
  }
}
