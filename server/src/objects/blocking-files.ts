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

/** Creates a file and syncs it. */
export async function writeSmallFile(path: string, content: Uint8Array): Promise<void> {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < content.length;) at += writeSync(file, content, at)
    await sync(file)
  } finally {
    closeSync(file)
  }
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
