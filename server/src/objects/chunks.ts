import type { RandomAccess } from '@kitseal/kit'
import type { ObjectStore } from './object-store.ts'

/** Collects up to `length` bytes in one buffer. */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  let whole: Uint8Array | undefined
  let filled = 0
  for await (const bytes of chunks) {
    if (filled === 0 && bytes.length === length) return bytes
    whole ??= new Uint8Array(length)
    whole.set(bytes, filled)
    filled += bytes.length
  }
  return whole?.subarray(0, filled) ?? new Uint8Array(0)
}

export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const bytes of chunks) {
    whole.set(bytes, at)
    at += bytes.length
  }
  return whole
}

/** Reads a range of an object into memory. */
export function readFully(
  objects: Pick<ObjectStore, 'read'>,
  object: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  return collectChunks(objects.read(object, start, end), end - start)
}

/** Random access to content that is read by range. */
export function randomAccess(
  sizeBytes: number,
  readRange: (start: number, end: number) => AsyncIterable<Uint8Array>,
): RandomAccess {
  return {
    sizeBytes,
    read(offset, length) {
      const end = Math.min(offset + length, sizeBytes)
      return collectChunks(readRange(offset, end), end - offset)
    },
  }
}
