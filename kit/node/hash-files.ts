import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type EntryContent, scanEntries } from '../src/encoding/zip-content.ts'
import type { Batch, FileHash, FileToHash, Hashed, HashTask, SharedTask, ZipTask } from './hash-threads.ts'
import type { HashThreads } from './hash-threads.ts'
import { nodeHost } from './node-host.ts'
import { describeError, fileBuffer, fileChunks, type FileSource, fileSource } from './read-files.ts'

/** Hashes on all cores: this thread starts at once, the others join as they come up. */
export async function hashInParallel(
  task: HashTask,
  onProgress?: (bytes: number) => void,
  started?: HashThreads,
): Promise<readonly Hashed[]> {
  const batches = splitIntoBatches(
    task.kind === 'zip'
      ? task.entries.map(({ compressedBytes }) => compressedBytes)
      : task.files.map(({ sizeBytes }) => sizeBytes),
  )
  const shared = sharedCounters()
  if (!areWorthThreads(batches)) return hashBatches({ task, batches, shared }, onProgress)
  // Loaded only when needed: importing it takes longer than verifying a small kit.
  using own = started === undefined ? (await import('./hash-threads.ts')).startThreads() : undefined
  const others = (started ?? own)?.hash({ task, batches, shared }) ?? []
  const mine = await hashBatches({ task, batches, shared }, onProgress)
  const theirs = await Promise.all(others)
  return [...mine, ...theirs.flat()]
}

/** Less than this is hashed before another thread has started. */
const LARGE_BYTES = 48 * 1024 * 1024
const BATCH_BYTES = 8 * 1024 * 1024

/** Splits a list of sizes into batches, largest first, so that the last one to finish is short. */
export function splitIntoBatches(sizes: readonly number[]): readonly Batch[] {
  const batches: Batch[] = []
  let from = 0
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (bytes < BATCH_BYTES && index < sizes.length - 1) continue
    batches.push({ from, to: index + 1, bytes })
    from = index + 1
    bytes = 0
  }
  return batches.toSorted((a, b) => b.bytes - a.bytes)
}

/** Whether there is enough to hash for more than one thread. */
export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES
}

export function areWorthThreads(batches: readonly Batch[]): boolean {
  return batches.length > 1 && isLarge(batches.reduce((sum, { bytes }) => sum + bytes, 0))
}

/** Works on batches until none is left. Threads share the counter of the next batch, so none waits for a message. */
export async function takeBatches<T>(
  batches: readonly Batch[],
  shared: SharedArrayBuffer,
  work: (batch: Batch) => readonly T[] | Promise<readonly T[]>,
): Promise<readonly T[]> {
  const counter = new Int32Array(shared, 0, 1)
  const results: T[] = []
  for (;;) {
    const batch = batches[Atomics.add(counter, 0, 1)]
    if (batch === undefined) return results
    for (const result of await work(batch)) results.push(result)
  }
}

/** Bytes hashed by all threads, in the second half of the shared memory. */
export function progressCounter(shared: SharedArrayBuffer): { add(bytes: number): void; total(): number } {
  const counter = new BigInt64Array(shared, 8, 1)
  return {
    add: (bytes) => void Atomics.add(counter, 0, BigInt(bytes)),
    total: () => Number(Atomics.load(counter, 0)),
  }
}

export function sharedCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(16)
}

/** Hashes batches of a shared task until none is left. Runs in every thread. */
export async function hashBatches(
  { task, batches, shared }: SharedTask,
  onProgress?: (bytes: number) => void,
): Promise<readonly Hashed[]> {
  const progress = progressCounter(shared)
  const done = (bytes: number): void => {
    progress.add(bytes)
    onProgress?.(progress.total())
  }
  if (task.kind === 'files') {
    return takeBatches<Hashed>(batches, shared, ({ from, to }) =>
      hashFiles(task.files.slice(from, to), task.withCrc32, done),
    )
  }
  using source = fileSource(task.path)
  return await takeBatches<Hashed>(batches, shared, (batch) => hashEntries(source, task, batch, done))
}

function hashEntries(
  source: FileSource,
  { entries, end, wanted, trustedCrc32 }: ZipTask,
  { from, to }: Batch,
  onProgress: (bytes: number) => void,
): Promise<readonly EntryContent[]> {
  const request = {
    wanted: (name: string) => wanted.has(name),
    trustedCrc32: (name: string) => trustedCrc32.get(name),
    onProgress,
  }
  return scanEntries(source, entries.slice(from, to), entries[to]?.headerOffset ?? end, request, nodeHost)
}

/** Hashes files, one after the other. Their sizes must still be the listed ones. */
export function hashFiles(
  files: readonly FileToHash[],
  withCrc32: boolean,
  onProgress: (bytes: number) => void,
): readonly FileHash[] {
  const chunk = fileBuffer()
  return files.map((file) => {
    try {
      return { path: file.path, ...hashFile(file, withCrc32, chunk, onProgress) }
    } catch (error) {
      return { path: file.path, problem: `${file.path} cannot be read: ${describeError(error)}` }
    }
  })
}

function hashFile(
  { diskPath, sizeBytes }: FileToHash,
  withCrc32: boolean,
  chunk: Buffer,
  onProgress: (bytes: number) => void,
): Pick<FileHash, 'sha256' | 'crc32'> {
  const hash = createHash('sha256')
  let crc = 0
  let left = sizeBytes
  for (const bytes of fileChunks(diskPath, chunk)) {
    hash.update(bytes)
    if (withCrc32) crc = crc32(bytes, crc)
    left -= bytes.length
    onProgress(bytes.length)
    if (left < 0) break
  }
  if (left !== 0) throw new Error('it changed while it was being read')
  return { sha256: hash.digest('hex'), ...(withCrc32 ? { crc32: crc } : {}) }
}
