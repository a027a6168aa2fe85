import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import {
  access,
  constants,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { reportDurable } from '../runtime/durable.ts'
import { isAlive } from '../runtime/lease-owner.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { once } from '../runtime/promises.ts'
import {
  ABANDONED_AFTER_MS,
  isObjectName,
  type ListedObject,
  Measure,
  newObjectName,
  type ObjectStore,
  ObjectsUnavailable,
  ObjectUnreadable,
  PARTIAL_ABANDONED_AFTER_MS,
  PartialLost,
  type PartialObject,
  readAll,
  type ResumableObjects,
} from './object-store.ts'

/** Objects as files, `<root>/a/abcdef…`. They are written to `<root>/tmp/`, or over several requests to `<root>/partial/`, and then renamed. */
export function filesystemObjects(folder: string): ObjectStore {
  const root = resolve(folder)
  const tmp = join(root, 'tmp')
  const partial = join(root, 'partial')
  /** Once: all of them need one sync. */
  const makeFolders = once(() => createFolders(root))

  const put: ObjectStore['put'] = async (content, given) => {
    const chunks = content instanceof Uint8Array ? [content.slice()] : content
    const object = given ?? newObjectName()
    const path = pathOf(root, object)
    const draft = join(tmp, `${hostname()} ${process.pid} ${randomUUID()}`)
    const measure = new Measure()
    try {
      await makeFolders()
      await using file = await open(draft, 'wx', 0o600)
      const writer = new Writer(file, 0)
      for await (const chunk of chunks) {
        measure.update(chunk)
        await writer.write(chunk)
      }
      await writer.flush()
      // A new name may be there before its bytes, because nobody knows it yet: both are written in one go.
      if (given !== undefined) await file.sync()
      await rename(draft, path)
      const syncs = [file.sync(), syncFolder(dirname(path))]
      await Promise.all(syncs.map((sync) => sync.then(() => reportDurable('file'))))
      return { object, ...measure.result() }
    } catch (error) {
      await rm(draft, { force: true })
      if (given === undefined) await rm(path, { force: true })
      return rethrow(error)
    }
  }

  const copy: ObjectStore['copy'] = async (object) => {
    const name = newObjectName()
    try {
      await makeFolders()
      await link(pathOf(root, object), pathOf(root, name))
      await syncFolder(dirname(pathOf(root, name)))
      return name
    } catch (error) {
      if (fingerprint(root, object) === undefined) throw new ObjectUnreadable(object, 'is missing', error)
      // Not every file system has links, nor any number of them.
      return (await put(readObject(root, object), name)).object
    }
  }

  const append: ResumableObjects['append'] = async (upload, content, { commit, atomic }) => {
    await using file = await openAt(upload)
    const writer = new Writer(file, upload.offset)
    let [offset, committed] = [upload.offset, upload.offset]
    const store = async (): Promise<void> => {
      await writer.flush()
      await file.datasync()
      reportDurable('file')
      if (offset > committed) await commit({ offset, state: '' })
      committed = offset
    }
    const failure = await readAll(content, async (chunk) => {
      await writer.write(chunk)
      offset += chunk.length
      if (!atomic && offset - committed >= COMMIT_EVERY_BYTES) await store()
    })
    if (failure !== undefined && atomic) throw failure.error
    await store()
    if (failure !== undefined) throw failure.error
    return { offset, state: '' }
  }

  async function openAt({ object, offset }: PartialObject): Promise<FileHandle> {
    const path = join(partial, object)
    if (offset === 0) await makeFolders()
    else if ((sizeOf(path) ?? 0) < offset) throw new PartialLost(object)
    const file = await open(path, offset > 0 ? 'r+' : 'w', 0o600)
    try {
      await file.truncate(offset)
      if (offset === 0) await syncFolder(partial)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** It may have its name already: a process that crashed then gave it. */
  const finish: ResumableObjects['finish'] = async ({ object, sizeBytes }) => {
    const path = [join(partial, object), pathOf(root, object)].find((each) => sizeOf(each) === sizeBytes)
    if (path === undefined) throw new PartialLost(object)
    await rename(path, pathOf(root, object))
    await syncFolder(dirname(pathOf(root, object)))
    reportDurable('file')
    const measure = new Measure()
    for await (const bytes of readObject(root, object)) measure.update(bytes)
    return { object, ...measure.result() }
  }

  return {
    put,
    copy,
    resumable: {
      append: (upload, content, options) => append(upload, content, options).catch(rethrow),
      finish: (upload) => finish(upload).catch(rethrow),
      remove: ({ object }) => rm(join(partial, object), { force: true }),
    },
    read: (object, start, end) => readObject(root, object, start, end),
    fingerprint: async (object) => fingerprint(root, object),
    inspect: async (object) => (isObjectName(object) ? inspect(root, object) : undefined),
    list: (after = '') => listObjects(root, after),
    async delete(object) {
      if (!isObjectName(object)) return
      const path = pathOf(root, object)
      await rm(path, { force: true })
      await syncFolder(dirname(path)).catch(ignoreMissing)
      reportDurable('file')
    },
    sweepTemp: async () =>
      (await sweep(tmp, isAbandoned)) +
      (await sweep(partial, (_, ageMs) => ageMs > PARTIAL_ABANDONED_AFTER_MS)),
    check: () => access(root, constants.W_OK).catch(rethrow),
    isRemote: false,
    close: async () => {},
  }
}

/** A crash loses at most this much of a long request. */
const COMMIT_EVERY_BYTES = 32 * 1024 * 1024
const GATHER_BYTES = 64 * 1024

/** Gathers small chunks, and copies them: their source may use the memory again. */
class Writer {
  readonly #file: FileHandle
  readonly #gathered = Buffer.allocUnsafeSlow(GATHER_BYTES)
  #filled = 0
  #position: number

  constructor(file: FileHandle, position: number) {
    this.#file = file
    this.#position = position
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#filled + chunk.length > GATHER_BYTES) await this.flush()
    if (chunk.length > GATHER_BYTES) return this.#writeAll(chunk)
    this.#gathered.set(chunk, this.#filled)
    this.#filled += chunk.length
  }

  async flush(): Promise<void> {
    const bytes = this.#gathered.subarray(0, this.#filled)
    this.#filled = 0
    await this.#writeAll(bytes)
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#position)
      at += bytesWritten
      this.#position += bytesWritten
    }
  }
}

const FAILURES = new Set<string>([...MACHINE_FAILURES, 'ENOENT', 'ESTALE'])

/** Disk errors become `ObjectsUnavailable`. Errors of the content's source pass through. */
function rethrow(error: unknown): never {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : ''
  if (FAILURES.has(code)) throw new ObjectsUnavailable(`cannot be written (${code})`, error)
  throw error
}

/** Deletes what is abandoned in a folder; returns how much. */
async function sweep(folder: string, isOver: (name: string, ageMs: number) => boolean): Promise<number> {
  let removed = 0
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    const found = await stat(join(folder, name)).catch(ignoreMissing)
    if (found === undefined || !isOver(name, Date.now() - found.mtimeMs)) continue
    await rm(join(folder, name), { force: true })
    removed += 1
  }
  return removed
}

/** Drafts are named by machine and process. One with the ID of this process may belong to an earlier process. */
function isAbandoned(draft: string, ageMs: number): boolean {
  const [machine, pid] = draft.split(' ')
  if (machine !== hostname()) return ageMs > ABANDONED_AFTER_MS
  return Number(pid) === process.pid ? ageMs > (process.uptime() + 1) * 1000 : !isAlive(Number(pid))
}

/** A stalled download holds a few of these. */
const CHUNK_BYTES = 256 * 1024

async function* readObject(
  root: string,
  object: string,
  start = 0,
  end?: number,
): AsyncGenerator<Uint8Array> {
  await using file = await openObject(root, object)
  const stop = end ?? (await file.stat()).size
  let at = start
  while (at < stop) {
    const bytes = await readAt(file, object, at, Math.min(CHUNK_BYTES, stop - at))
    if (bytes.length === 0) throw new ObjectUnreadable(object, `ends at byte ${at}, before byte ${stop}`)
    at += bytes.length
    yield bytes
  }
}

async function openObject(root: string, object: string): Promise<FileHandle> {
  if (!isObjectName(object)) throw new ObjectUnreadable(object, 'is not an object name')
  return open(pathOf(root, object), 'r').catch((error: unknown) => {
    throw new ObjectUnreadable(object, isMissing(error) ? 'is missing' : 'cannot be opened', error)
  })
}

async function readAt(file: FileHandle, object: string, at: number, wanted: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(wanted)
  const { bytesRead } = await file.read(buffer, 0, wanted, at).catch((error: unknown) => {
    throw new ObjectUnreadable(object, 'cannot be read', error)
  })
  return bytesRead === wanted ? buffer : buffer.subarray(0, bytesRead)
}

const NOT_THROWING = { throwIfNoEntry: false } as const

const sizeOf = (path: string): number | undefined => statSync(path, NOT_THROWING)?.size

/** Synchronous, because the asynchronous call through the thread pool takes ten times as long. */
function fingerprint(root: string, object: string): string | undefined {
  if (!isObjectName(object)) return undefined
  const found = statSync(pathOf(root, object), NOT_THROWING)
  return found?.isFile() ? `${found.ino}-${found.size}-${found.mtimeMs}-${found.ctimeMs}` : undefined
}

async function inspect(root: string, object: string): Promise<ListedObject | undefined> {
  const found = await stat(pathOf(root, object)).catch(ignoreMissing)
  if (found === undefined || !found.isFile()) return undefined
  // A rename changes ctime, not mtime.
  return { object, sizeBytes: found.size, keptAtMs: Math.max(found.ctimeMs, found.mtimeMs) }
}

async function* listObjects(root: string, after: string): AsyncGenerator<ListedObject> {
  for (const folder of FOLDERS.filter((name) => name >= after.slice(0, 1))) {
    const names = ((await readdir(join(root, folder)).catch(ignoreMissing)) ?? []).filter(isObjectName)
    for (const name of names.toSorted()) {
      const found = name > after ? await inspect(root, name) : undefined
      if (found !== undefined) yield found
    }
  }
}

/** 16 folders: quickly created and removed, and one can be listed when there are ten million objects. */
function pathOf(root: string, object: string): string {
  return `${root}${sep}${object.slice(0, 1)}${sep}${object}`
}

const FOLDERS = Array.from({ length: 16 }, (_, at) => at.toString(16))

/** Existing ones are synced too: their creator may have crashed before its sync. */
async function createFolders(root: string): Promise<void> {
  const first = await makeFolder(root)
  const there = new Set(await readdir(root))
  for (const name of ['tmp', 'partial', ...FOLDERS])
    if (!there.has(name)) await mkdir(join(root, name), { mode: 0o700 }).catch(ignoreExisting)
  const stop = dirname(first ?? root)
  for (let at = root; ; at = dirname(at)) {
    await syncFolder(at)
    if (at === stop || at === dirname(at)) return
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
