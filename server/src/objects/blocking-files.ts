// docs/decisions/0440
import { closeSync, fstatSync, fsync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { allocateBuffer } from './buffers.ts'

/**
 * Small files, for threads that may wait for the disk. Each asynchronous call passes through the thread pool, which takes
 * ten times as long as reading a small file. Only syncs, which are slow, are asynchronous.
 */
const sync = promisify(fsync)

/** Larger files are read and written asynchronously. */
export const SMALL_BYTES = 128 * 1024

/** Content that is small as a whole. Other content is streamed; what was read of it comes first. */
export async function smallOr(
  content: Uint8Array | Chunks,
): Promise<{ readonly small?: Uint8Array; readonly chunks: Chunks }> {
  if (content instanceof Uint8Array)
    return content.byteLength > SMALL_BYTES ? { chunks: [content] } : { small: content, chunks: [] }
  const head: Uint8Array[] = []
  let sizeBytes = 0
  const rest = (async function* (): AsyncGenerator<Uint8Array> {
    yield* content
  })()
  while (sizeBytes <= SMALL_BYTES) {
    const next = await rest.next()
    if (next.done === true) return { small: head.length === 1 ? head[0]! : Buffer.concat(head), chunks: [] }
    // A copy: chunks are valid until the next one is requested.
    head.push(Buffer.copyBytesFrom(next.value))
    sizeBytes += next.value.byteLength
  }
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield* head
    yield* rest
  }
  return { chunks: chunks() }
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Creates a file. It is durable when it is synced. */
export function writeSmallFile(path: string, content: Uint8Array): { readonly synced: Promise<void> } {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < content.length;) at += writeSync(file, content, at)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return { synced: sync(file).finally(() => closeSync(file)) }
}

/** Renames a file and syncs the folder of its new name. */
export async function renameAndSync(from: string, to: string, folder: string): Promise<void> {
  renameSync(from, to)
  const opened = openSync(folder, 'r')
  try {
    await sync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Reads a range of a file, or undefined if it is too long. By default up to the end. */
export function readSmallFile(path: string, start: number, end?: number): Uint8Array | undefined {
  if (end !== undefined && end - start > SMALL_BYTES) return undefined
  const file = openSync(path, 'r')
  try {
    const length = (end ?? fstatSync(file).size) - start
    if (length > SMALL_BYTES) return undefined
    const bytes = allocateBuffer(Math.max(0, length))
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, start + filled)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}
