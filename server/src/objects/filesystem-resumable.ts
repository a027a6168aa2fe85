import { statSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reportDurable } from '../runtime/durable.ts'
import { bufferedWriter, type WriteBuffers } from './buffered-writer.ts'
import {
  Measure,
  type AppendOptions,
  PartialLost,
  type PartialObject,
  type PartialProgress,
  readAll,
  type ResumableObjects,
} from './object-store.ts'

/** A crash loses at most this much of a long request. */
const COMMIT_EVERY_BYTES = 32 * 1024 * 1024
const READ_BYTES = 1024 * 1024

interface FilesystemPlace {
  /** The folder of partial objects. */
  readonly folder: string
  readonly buffers: WriteBuffers
  makeFolders(): Promise<void>
  syncFolder(path: string): Promise<void>
  /** Of an object that is complete. */
  pathOf(object: string): string
  /** Turns disk errors into `ObjectsUnavailable`. */
  rethrow(error: unknown): never
}

/** Partial objects as files. They are hashed as they arrive, or read again if another process received the beginning. */
export function filesystemResumable(place: FilesystemPlace): ResumableObjects {
  const hashes = new RunningHashes()
  const catchingUp = new Map<string, Promise<unknown>>()
  const pathOf = (object: string): string => join(place.folder, object)

  async function append(
    partial: PartialObject,
    content: AsyncIterable<Uint8Array>,
    { commit, atomic }: AppendOptions,
  ): Promise<PartialProgress> {
    await using file = await openAt(partial)
    await using writer = bufferedWriter(file, place.buffers, partial.offset)
    // The beginning is read while the rest arrives.
    if (hashes.get(partial.object).at < partial.offset) startCatchingUp(partial)
    const known = hashes.get(partial.object)
    const hash = known.at === partial.offset ? known.copy() : undefined
    let [offset, committed] = [partial.offset, partial.offset]

    const store = async (): Promise<void> => {
      await writer.end()
      await file.datasync()
      reportDurable('file')
      if (offset > committed) await commit({ offset, state: '' })
      committed = offset
      if (hash !== undefined) hashes.keep(partial.object, hash.copy())
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

  async function openAt({ object, offset }: PartialObject) {
    const path = pathOf(object)
    if (offset > 0) {
      const found = await stat(path).catch(() => undefined)
      if (found === undefined || found.size < offset) throw new PartialLost(object)
    } else {
      await place.makeFolders()
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
    if (catchingUp.has(partial.object)) return
    const reading = measure(partial.object, partial.offset)
      // Tried again, and reported, when the upload is complete.
      .catch(() => {})
      .finally(() => catchingUp.delete(partial.object))
    catchingUp.set(partial.object, reading)
  }

  /** Measures the stored bytes up to `end` that are not measured yet. */
  async function measure(object: string, end: number, path = pathOf(object)): Promise<Measure> {
    const hash = hashes.get(object).copy()
    if (hash.at < end) await hashFile(path, hash, end)
    hashes.keep(object, hash)
    return hash
  }

  /** It may have its name already: a process that crashed then gave it. */
  async function finish({ object, sizeBytes }: PartialObject) {
    await catchingUp.get(object)
    const name = place.pathOf(object)
    const path = [pathOf(object), name].find((each) => sizeOf(each) === sizeBytes)
    if (path === undefined) throw new PartialLost(object)
    const measured = (await measure(object, sizeBytes, path)).result()
    if (path !== name) await rename(path, name)
    await place.syncFolder(dirname(name))
    reportDurable('file')
    hashes.forget(object)
    return { object, ...measured }
  }

  return {
    append: (partial, content, options) => append(partial, content, options).catch(place.rethrow),
    finish: (partial) => finish(partial).catch(place.rethrow),
    async remove({ object }) {
      hashes.forget(object)
      await rm(pathOf(object), { force: true })
    },
  }
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

async function hashFile(path: string, hash: Measure, end: number): Promise<void> {
  await using file = await open(path, 'r')
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  while (hash.at < end) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - hash.at), hash.at)
    if (bytesRead === 0) throw new Error(`the file ends at byte ${hash.at}, before byte ${end}`)
    hash.update(buffer.subarray(0, bytesRead))
  }
}

/** Uploads beyond this number are read again when they are complete. */
const MAX_KEPT = 1000

/** The hashes of uploads in progress at this node. They are lost with the process; then the stored part is read again. */
class RunningHashes {
  readonly #kept = new Map<string, Measure>()

  get(object: string): Measure {
    return this.#kept.get(object) ?? new Measure()
  }

  keep(object: string, hash: Measure): void {
    this.#kept.delete(object)
    this.#kept.set(object, hash)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }

  forget(object: string): void {
    this.#kept.delete(object)
  }
}
