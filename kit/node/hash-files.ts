import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Hashed, scanEntries } from '../src/encoding/zip-content.ts'
import type {
  Batch,
  Checksum,
  FileToHash,
  HashTask,
  HashThreads,
  SharedTask,
  ZipTask,
} from './hash-threads.ts'
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
  const shared = new SharedArrayBuffer(16)
  const isWorthThreads = batches.length > 1 && isLarge(batches.reduce((sum, { bytes }) => sum + bytes, 0))
  if (!isWorthThreads) return hashBatches({ task, batches, shared }, onProgress)
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
function splitIntoBatches(sizes: readonly number[]): readonly Batch[] {
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

/**
 * Hashes batches of a shared task until none is left. Runs in every thread. Threads share the counter of the next batch, so
 * that none waits for a message, and behind it the number of bytes that all of them have hashed.
 */
export async function hashBatches(
  { task, batches, shared }: SharedTask,
  onProgress?: (bytes: number) => void,
): Promise<readonly Hashed[]> {
  const next = new Int32Array(shared, 0, 1)
  const hashedBytes = new BigInt64Array(shared, 8, 1)
  const done = (bytes: number): void => {
    Atomics.add(hashedBytes, 0, BigInt(bytes))
    onProgress?.(Number(Atomics.load(hashedBytes, 0)))
  }
  using source = task.kind === 'zip' ? fileSource(task.path) : undefined
  const hashed: Hashed[] = []
  for (;;) {
    const batch = batches[Atomics.add(next, 0, 1)]
    if (batch === undefined) return hashed
    const some =
      task.kind === 'files'
        ? hashFiles(task.files.slice(batch.from, batch.to), task.checksums, done)
        : await hashEntries(source!, task, batch, done)
    for (const one of some) hashed.push(one)
  }
}

async function hashEntries(
  source: FileSource,
  { entries, end, order }: ZipTask,
  { from, to, bytes }: Batch,
  onProgress: (bytes: number) => void,
): Promise<readonly Hashed[]> {
  const next = entries[to]?.headerOffset ?? end
  const hashed = await scanEntries(source, entries.slice(from, to), next, order, nodeHost)
  onProgress(bytes)
  return hashed
}

/** Hashes files, one after the other. Their sizes must still be the listed ones. */
function hashFiles(
  files: readonly FileToHash[],
  checksums: readonly Checksum[],
  onProgress: (bytes: number) => void,
): readonly Hashed[] {
  const chunk = fileBuffer()
  return files.map((file) => {
    try {
      return { path: file.path, ...hashFile(file, checksums, chunk, onProgress) }
    } catch (error) {
      return { path: file.path, problem: `${file.path} cannot be read: ${describeError(error)}` }
    }
  })
}

function hashFile(
  { diskPath, sizeBytes }: FileToHash,
  checksums: readonly Checksum[],
  chunk: Buffer,
  onProgress: (bytes: number) => void,
): Pick<Hashed, 'sha256' | 'crc32'> {
  const hash = checksums.includes('sha256') ? createHash('sha256') : undefined
  const withCrc32 = checksums.includes('crc32')
  let crc = 0
  let left = sizeBytes
  for (const bytes of fileChunks(diskPath, chunk)) {
    hash?.update(bytes)
    if (withCrc32) crc = crc32(bytes, crc)
    left -= bytes.length
    onProgress(bytes.length)
    if (left < 0) break
  }
  if (left !== 0) throw new Error('it changed while it was being read')
  return { ...(hash && { sha256: hash.digest('hex') }), ...(withCrc32 && { crc32: crc }) }
}
