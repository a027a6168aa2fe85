import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { access, constants, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { reportDurable } from '../runtime/durable.ts'
import { MACHINE_FAILURES } from '../runtime/machine-failures.ts'
import { bufferedWriter, type WriteBuffers, writeBuffers } from './buffered-writer.ts'
import { filesystemResumable } from './filesystem-resumable.ts'
import {
  ABANDONED_AFTER_MS,
  isObjectName,
  type ListedObject,
  ObjectsUnavailable,
  ObjectUnreadable,
  type ObjectStore,
  type StagedObject,
  type StoredObject,
} from './object-store.ts'
import { PARTIAL_ABANDONED_AFTER_MS } from './resumable-objects.ts'

/** Objects as files, `<root>/ab/abcdef…`. They are written to `<root>/tmp/`, or over several requests to `<root>/partial/`, and then renamed. */
export function filesystemObjects(folder: string): ObjectStore {
  const root = resolve(folder)
  const tmp = join(root, 'tmp')
  const partial = join(root, 'partial')
  const machine = hostname()
  const folders = new Map<string, Promise<void>>()
  const buffers = writeBuffers()

  async function put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const staged = await stage(content)
    await staged.keep()
    return { sha256: staged.sha256, sizeBytes: staged.sizeBytes, crc32: staged.crc32 }
  }

  async function stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const chunks = content instanceof Uint8Array ? [content.slice()] : content
    await durableFolder(tmp).catch(rethrow)
    const draft = `${tmp}${sep}${process.pid}-${randomUUID()}-${machine}`
    const discard = (): Promise<void> => rm(draft, { force: true })
    try {
      const stored = await writeAndMeasure(draft, chunks, buffers)
      reportDurable('file')
      return { ...stored, keep: () => keep(draft, stored.sha256), discard }
    } catch (error) {
      await discard()
      return rethrow(error)
    }
  }

  async function keep(draft: string, sha256: string): Promise<void> {
    try {
      await nameByHash(draft, sha256)
    } catch (error) {
      await rm(draft, { force: true })
      rethrow(error)
    }
  }

  async function nameByHash(draft: string, sha256: string): Promise<void> {
    const path = pathOf(root, sha256)
    await durableFolder(dirname(path))
    // If the object exists, renaming over it is harmless, and repairs a damaged one.
    await rename(draft, path)
    await syncFolder(dirname(path))
    reportDurable('file')
  }

  /** Creates a folder durably. Existing ones are synced once too: their creator may have crashed before its sync. */
  function durableFolder(path: string): Promise<void> {
    const known = folders.get(path)
    if (known) return known
    const created = makeDurableFolder(path).catch((error: unknown) => {
      folders.delete(path)
      throw error
    })
    folders.set(path, created)
    return created
  }

  return {
    put,
    stage,
    resumable: filesystemResumable({
      folder: partial,
      buffers,
      makeFolder: () => durableFolder(partial),
      syncFolder,
      keep: (path, sha256) => nameByHash(path, sha256).catch(rethrow),
      rethrow,
    }),
    read: (sha256, start = 0, end) => readObject(root, sha256, start, end),
    has: async (sha256) => fingerprint(root, sha256) !== undefined,
    fingerprint: async (sha256) => fingerprint(root, sha256),
    inspect: async (sha256) => (isObjectName(sha256) ? inspect(root, sha256) : undefined),
    list: (after = '') => listObjects(root, after),
    async delete(sha256) {
      if (!isObjectName(sha256)) return
      const path = pathOf(root, sha256)
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
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  buffers: WriteBuffers,
): Promise<StoredObject> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let crc = 0
  await using file = await open(path, 'wx', 0o600)
  await using writer = bufferedWriter(file, buffers)
  for await (const chunk of chunks) {
    hash.update(chunk)
    crc = crc32(chunk, crc)
    sizeBytes += chunk.byteLength
    await writer.write(chunk)
  }
  await writer.end()
  await file.sync()
  return { sha256: hash.digest('hex'), sizeBytes, crc32: crc }
}

/** A stalled download holds a few of these. */
const CHUNK_BYTES = 256 * 1024

async function* readObject(
  root: string,
  sha256: string,
  start: number,
  end: number | undefined,
): AsyncGenerator<Uint8Array> {
  await using file = await openObject(root, sha256)
  const stop = end ?? (await file.stat()).size
  let at = start
  while (at < stop) {
    const bytes = await readAt(file, sha256, at, Math.min(CHUNK_BYTES, stop - at))
    if (bytes.length === 0) throw new ObjectUnreadable(sha256, `ends at byte ${at}, before byte ${stop}`)
    at += bytes.length
    yield bytes
  }
}

async function openObject(root: string, sha256: string): Promise<FileHandle> {
  if (!isObjectName(sha256)) throw new ObjectUnreadable(sha256, 'is not an object name')
  return open(pathOf(root, sha256), 'r').catch((error: unknown) => {
    throw new ObjectUnreadable(sha256, isMissing(error) ? 'is missing' : 'cannot be opened', error)
  })
}

async function readAt(file: FileHandle, sha256: string, at: number, wanted: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(wanted)
  const { bytesRead } = await file.read(buffer, 0, wanted, at).catch((error: unknown) => {
    throw new ObjectUnreadable(sha256, 'cannot be read', error)
  })
  return bytesRead === wanted ? buffer : buffer.subarray(0, bytesRead)
}

const NOT_THROWING = { throwIfNoEntry: false } as const

/** Synchronous, because the asynchronous call through the thread pool takes ten times as long. */
function fingerprint(root: string, sha256: string): string | undefined {
  if (!isObjectName(sha256)) return undefined
  const found = statSync(pathOf(root, sha256), NOT_THROWING)
  return found?.isFile() ? `${found.ino}-${found.size}-${found.mtimeMs}-${found.ctimeMs}` : undefined
}

async function inspect(root: string, sha256: string): Promise<ListedObject | undefined> {
  const found = await stat(pathOf(root, sha256)).catch(ignoreMissing)
  if (found === undefined || !found.isFile()) return undefined
  // A rename changes ctime, not mtime.
  return { sha256, sizeBytes: found.size, keptAtMs: Math.max(found.ctimeMs, found.mtimeMs) }
}

async function* listObjects(root: string, after: string): AsyncGenerator<ListedObject> {
  const folders = ((await readdir(root).catch(ignoreMissing)) ?? []).filter((name) =>
    /^[0-9a-f]{2}$/.test(name),
  )
  for (const folder of folders.toSorted()) {
    if (folder < after.slice(0, 2)) continue
    const names = ((await readdir(join(root, folder)).catch(ignoreMissing)) ?? []).filter(isObjectName)
    for (const name of names.toSorted()) {
      const found = name > after ? await inspect(root, name) : undefined
      if (found !== undefined) yield found
    }
  }
}

/** 256 folders: few enough to sync each once, enough for a hundred million objects. */
function pathOf(root: string, sha256: string): string {
  return `${root}${sep}${sha256.slice(0, 2)}${sep}${sha256}`
}

async function makeDurableFolder(path: string): Promise<void> {
  const first = await makeFolder(path)
  const stop = dirname(first ?? path)
  for (let at = dirname(path); ; at = dirname(at)) {
    await syncFolder(at)
    if (at === stop || at === dirname(at)) return
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
