import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
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

/** The content of a file or a pipe; undefined if it is larger than the limit. */
export function readUpTo(path: string, limitBytes: number): Buffer | undefined {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for (const bytes of fileChunks(path)) {
    sizeBytes += bytes.length
    if (sizeBytes > limitBytes) return undefined
    parts.push(Buffer.from(bytes))
  }
  return Buffer.concat(parts)
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
