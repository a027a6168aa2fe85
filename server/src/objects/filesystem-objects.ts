import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { isObjectName, ObjectUnreadable, type ObjectStore, type StoredObject } from './object-store.ts'

/** Objects as files: `<root>/ab/abcdef…`, written under `<root>/tmp/` first. */
export function filesystemObjects(folder: string): ObjectStore {
  const root = resolve(folder)
  const tmp = join(root, 'tmp')
  const folders = new Map<string, Promise<void>>()

  async function put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const chunks = content instanceof Uint8Array ? [content.slice()] : content
    await durableFolder(tmp)
    const draft = join(tmp, randomUUID())
    try {
      const stored = await writeAndMeasure(draft, chunks)
      const path = pathOf(root, stored.sha256)
      await durableFolder(dirname(path))
      // Renaming over an object that is there already changes nothing in a sound one and mends a damaged one.
      await rename(draft, path)
      await syncFolder(dirname(path))
      return stored
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  /**
   * Makes a folder whose own entry is on disk. It is synced once per process even where it exists: the process
   * that made it may have died before its own sync.
   */
  function durableFolder(path: string): Promise<void> {
    const known = folders.get(path)
    if (known) return known
    const made = makeDurableFolder(path).catch((error: unknown) => {
      folders.delete(path)
      throw error
    })
    folders.set(path, made)
    return made
  }

  return {
    put,
    read: (sha256, start = 0, end) => readObject(root, sha256, start, end),
    has: async (sha256) => fingerprint(root, sha256) !== undefined,
    fingerprint: async (sha256) => fingerprint(root, sha256),
    async delete(sha256) {
      if (!isObjectName(sha256)) return
      const path = pathOf(root, sha256)
      await rm(path, { force: true })
      await syncFolder(dirname(path)).catch(ignoreMissing)
    },
    async sweepTemp() {
      const left = await readdir(tmp).catch(ignoreMissing)
      for (const name of left ?? []) await rm(join(tmp, name), { force: true })
      return left?.length ?? 0
    },
  }
}

async function writeAndMeasure(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let crc = 0
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of chunks) {
    hash.update(chunk)
    crc = crc32(chunk, crc)
    sizeBytes += chunk.byteLength
    await writeAll(file, chunk)
  }
  await file.sync()
  return { sha256: hash.digest('hex'), sizeBytes, crc32: crc }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written)
    written += bytesWritten
  }
}

const CHUNK_BYTES = 1024 * 1024

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
  if (!isObjectName(sha256)) throw new ObjectUnreadable(sha256, 'is no object name')
  return open(pathOf(root, sha256), 'r').catch((error: unknown) => {
    throw new ObjectUnreadable(sha256, isMissing(error) ? 'is missing' : "can't be opened", error)
  })
}

async function readAt(file: FileHandle, sha256: string, at: number, wanted: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(wanted)
  const { bytesRead } = await file.read(buffer, 0, wanted, at).catch((error: unknown) => {
    throw new ObjectUnreadable(sha256, "can't be read", error)
  })
  return bytesRead === wanted ? buffer : buffer.subarray(0, bytesRead)
}

const NOT_THROWING = { throwIfNoEntry: false } as const

/** A look at a local file takes two microseconds; asking a thread of the pool for it takes ten times as long. */
function fingerprint(root: string, sha256: string): string | undefined {
  if (!isObjectName(sha256)) return undefined
  const found = statSync(pathOf(root, sha256), NOT_THROWING)
  return found?.isFile() ? `${found.ino}-${found.size}-${found.mtimeMs}-${found.ctimeMs}` : undefined
}

/** 256 folders: each is synced once, and a hundred million objects still make folders a file system can walk. */
function pathOf(root: string, sha256: string): string {
  return `${root}${sep}${sha256.slice(0, 2)}${sep}${sha256}`
}

async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  const stop = dirname(first ?? path)
  for (let at = dirname(path); ; at = dirname(at)) {
    await syncFolder(at)
    if (at === stop || at === dirname(at)) return
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
