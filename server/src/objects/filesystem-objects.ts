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
import { once } from '../runtime/promises.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { bufferedWriter, type WriteBuffers, writeBuffers } from './buffered-writer.ts'
import { filesystemResumable } from './filesystem-resumable.ts'
import {
  Measure,
  ABANDONED_AFTER_MS,
  isObjectName,
  type ListedObject,
  type Measured,
  newObjectName,
  type ObjectStore,
  ObjectsUnavailable,
  ObjectUnreadable,
  PARTIAL_ABANDONED_AFTER_MS,
} from './object-store.ts'

/** Objects as files, `<root>/ab/abcdef…`. They are written to `<root>/tmp/`, or over several requests to `<root>/partial/`, and then renamed. */
export function filesystemObjects(folder: string): ObjectStore {
  const root = resolve(folder)
  const tmp = join(root, 'tmp')
  const partial = join(root, 'partial')
  const machine = hostname()
  const buffers = writeBuffers()
  /** Once: all of them need one sync. */
  const makeFolders = once(() => createFolders(root))

  const put: ObjectStore['put'] = async (content, given) => {
    const chunks = content instanceof Uint8Array ? [content.slice()] : content
    const object = given ?? newObjectName()
    const path = pathOf(root, object)
    const draft = `${tmp}${sep}${process.pid}-${randomUUID()}-${machine}`
    try {
      await makeFolders()
      await using file = await open(draft, 'wx', 0o600)
      const measured = await writeAndMeasure(file, chunks, buffers)
      // A new name may be there before its bytes, because nobody knows it yet: both are written in one go.
      if (given !== undefined) await file.sync()
      await rename(draft, path)
      const syncs = [file.sync(), syncFolder(dirname(path))]
      await Promise.all(syncs.map((sync) => sync.then(() => reportDurable('file'))))
      return { object, ...measured }
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

  return {
    put,
    copy,
    resumable: filesystemResumable({
      folder: partial,
      buffers,
      makeFolders,
      syncFolder,
      pathOf: (object) => pathOf(root, object),
      rethrow,
    }),
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
    async sweepTemp() {
      let removed = 0
      for (const name of (await readdir(tmp).catch(ignoreMissing)) ?? []) {
        const isAbandoned = isOf(machine, name)
          ? await isOfDeadProcess(tmp, name)
          : await isOlder(join(tmp, name), ABANDONED_AFTER_MS)
        if (!isAbandoned) continue
        await rm(join(tmp, name), { force: true })
        removed += 1
      }
      for (const name of (await readdir(partial).catch(ignoreMissing)) ?? []) {
        if (!(await isOlder(join(partial, name), PARTIAL_ABANDONED_AFTER_MS))) continue
        await rm(join(partial, name), { force: true })
        removed += 1
      }
      return removed
    },
    check: () => access(root, constants.W_OK).catch(rethrow),
    isRemote: false,
    close: async () => {},
  }
}

const FAILURES = new Set<string>([...MACHINE_FAILURES, 'ENOENT', 'ESTALE'])

/** Disk errors become `ObjectsUnavailable`. Errors of the content's source pass through. */
function rethrow(error: unknown): never {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : ''
  if (FAILURES.has(code)) throw new ObjectsUnavailable(`cannot be written (${code})`, error)
  throw error
}

/** Temp files are named PID-UUID-HOSTNAME; a UUID has five groups. */
const UNIQUE_GROUPS = 6

function isOf(machine: string, draft: string): boolean {
  const named = draft.split('-').slice(UNIQUE_GROUPS).join('-')
  return named === '' || named === machine
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  const found = await stat(path).catch(ignoreMissing)
  return found !== undefined && found.ctimeMs < Date.now() - milliseconds
}

/** A file with our own process ID may belong to an earlier process with the same ID. */
async function isOfDeadProcess(tmp: string, draft: string): Promise<boolean> {
  const pid = Number(draft.split('-', 1)[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  if (pid === process.pid) return isOlder(join(tmp, draft), (process.uptime() + 1) * 1000)
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

async function writeAndMeasure(
  file: FileHandle,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  buffers: WriteBuffers,
): Promise<Measured> {
  const measure = new Measure()
  await using writer = bufferedWriter(file, buffers)
  for await (const chunk of chunks) {
    measure.update(chunk)
    await writer.write(chunk)
  }
  await writer.end()
  return measure.result()
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
