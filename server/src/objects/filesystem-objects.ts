import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  isObjectName,
  ObjectUnreadable,
  type ObjectStore,
  type StagedObject,
  type StoredObject,
} from './object-store.ts'

/** Objects as files: `<root>/ab/abcdef…`, written under `<root>/tmp/` first. */
export function filesystemObjects(folder: string): ObjectStore {
  const root = resolve(folder)
  const tmp = join(root, 'tmp')
  const folders = new Map<string, Promise<void>>()

  async function put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const staged = await stage(content)
    await staged.keep()
    return { sha256: staged.sha256, sizeBytes: staged.sizeBytes, crc32: staged.crc32 }
  }

  async function stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const chunks = content instanceof Uint8Array ? [content.slice()] : content
    await durableFolder(tmp)
    const draft = join(tmp, `${process.pid}-${randomUUID()}`)
    const discard = (): Promise<void> => rm(draft, { force: true })
    try {
      const stored = await writeAndMeasure(draft, chunks)
      return { ...stored, keep: () => keep(draft, stored.sha256), discard }
    } catch (error) {
      await discard()
      throw error
    }
  }

  async function keep(draft: string, sha256: string): Promise<void> {
    const path = pathOf(root, sha256)
    try {
      await durableFolder(dirname(path))
      // Renaming over an object that is there already changes nothing in a sound one and mends a damaged one.
      await rename(draft, path)
      await syncFolder(dirname(path))
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
    stage,
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
      const left = ((await readdir(tmp).catch(ignoreMissing)) ?? []).filter(isNobodys)
      for (const name of left) await rm(join(tmp, name), { force: true })
      return left.length
    },
  }
}

/** A draft is named after the process that writes it. One that has our own id was left by an earlier process. */
function isNobodys(draft: string): boolean {
  const pid = Number(draft.split('-', 1)[0])
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return true
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
): Promise<StoredObject> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let crc = 0
  await using file = await open(path, 'wx', 0o600)
  const writer = gatheredWrites(file)
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

const GATHERED_BYTES = 256 * 1024
const FLUSH_EVERY_BYTES = 8 * 1024 * 1024

/**
 * Writes in large pieces while the next one is being gathered. Pieces are copied into two buffers that are used again
 * and again: whatever held on to them would pile up in memory until the collector finds time. The disk is kept busy on
 * the way, so that little is left for the sync at the end to wait for.
 */
function gatheredWrites(file: FileHandle) {
  let [filling, other] = [spareBuffer(), spareBuffer()]
  let filled = 0
  let unflushed = 0
  let writing: Promise<void> = Promise.resolve()
  let flushing = false

  async function flush(): Promise<void> {
    await writing
    const full = filling.subarray(0, filled)
    ;[filling, other] = [other, filling]
    filled = 0
    writing = writeAll(file, full)
    // It is awaited before the next one, or at the end; until then a failure is nobody's.
    writing.catch(() => {})
    unflushed += full.length
    if (unflushed >= FLUSH_EVERY_BYTES && !flushing) flushBehind()
  }

  function flushBehind(): void {
    unflushed = 0
    flushing = true
    const done = (): void => void (flushing = false)
    // Where it fails, so does the sync at the end, and that one counts.
    file.datasync().then(done, done)
  }

  return {
    write: async (chunk: Uint8Array): Promise<void> => {
      for (let at = 0; at < chunk.byteLength;) {
        const part = chunk.subarray(at, at + filling.length - filled)
        filling.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === filling.length) await flush()
      }
    },
    end: async (): Promise<void> => {
      if (filled > 0) await flush()
      await writing
      spareBuffers.push(filling, other)
    },
  }
}

/** Kept for the next upload; a busy hour leaves no more of them than were ever in use at once. */
const spareBuffers: Buffer[] = []
const spareBuffer = (): Buffer => spareBuffers.pop() ?? Buffer.allocUnsafeSlow(GATHERED_BYTES)

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.byteLength) written += (await file.write(bytes, written)).bytesWritten
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
