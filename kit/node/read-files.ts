import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { RandomAccess } from '../src/encoding/zip-fields.ts'

const BUFFER_BYTES = 256 * 1024

export type FileSource = RandomAccess & Disposable

/**
 * Opens a file for reading by position. Reads are synchronous: a read from the page cache is cheaper than handing
 * it to another thread.
 */
export function fileSource(path: string): FileSource {
  const file = openSync(path, 'r')
  let buffer: Buffer | undefined
  return {
    sizeBytes: fstatSync(file).size,
    read(offset, length) {
      const into =
        length <= BUFFER_BYTES
          ? (buffer ??= Buffer.allocUnsafeSlow(BUFFER_BYTES))
          : Buffer.allocUnsafeSlow(length)
      // Not a Buffer, whose slice() would share the bytes that the next read overwrites.
      return new Uint8Array(into.buffer, into.byteOffset, readFully(file, into, offset, length))
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

const CHUNK_BYTES = 256 * 1024

/** Reads a file or a pipe from its start. Each chunk is valid until the next is requested. */
export function* fileChunks(path: string, chunk: Buffer = fileBuffer()): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) yield chunk.subarray(0, got)
  } finally {
    closeSync(file)
  }
}

/** To read one file after the other. */
export function fileBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(CHUNK_BYTES)
}

/** Reads `length` bytes, or fewer at the end of the file. */
function readFully(file: number, into: Buffer, offset: number, length: number): number {
  let filled = 0
  while (filled < length) {
    const got = readSync(file, into, filled, length - filled, offset + filled)
    if (got === 0) break
    filled += got
  }
  return filled
}

interface SmallFile {
  /** What the file should be, for the error message: `a key set`. */
  readonly what: string
  readonly limitMiB: number
}

/** Reads a file, or a pipe such as a shell's `<(…)`, up to a limit. */
export function readSmallFile(path: string, { what, limitMiB }: SmallFile): Uint8Array {
  const found = statSync(path)
  if (!found.isFile() && !found.isFIFO())
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  const limitBytes = limitMiB * 1024 * 1024
  const parts: Buffer[] = []
  // The size of a pipe is not known before it is read.
  let sizeBytes = found.size
  if (sizeBytes <= limitBytes) {
    sizeBytes = 0
    for (const bytes of fileChunks(path)) {
      sizeBytes += bytes.length
      if (sizeBytes > limitBytes) break
      parts.push(Buffer.from(bytes))
    }
  }
  if (sizeBytes > limitBytes) throw new Error(`it is larger than ${limitMiB} MiB, too large for ${what}`)
  return Buffer.concat(parts)
}

/**
 * Describes an error for a message that already names the file: `permission denied` instead of `EACCES: …, open '…'`.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = SYSTEM_ERRORS.get((error as { readonly code?: string }).code ?? '')
  if (known !== undefined) return known
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'the file already exists'],
  ['ENOTDIR', 'part of the path is a file, not a folder'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space left on the disk'],
  ['EFBIG', 'the file would be too large'],
  ['EROFS', 'the disk is read-only'],
])
