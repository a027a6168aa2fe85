import { copyBytes as copyOf, type RandomAccess } from '@kitseal/kit/internal'

export { copyBytes as copyOf, joined, viewOf } from '@kitseal/kit/internal'

/** A range of a source, as a source. It never calls `done`, so what it returns stays valid. */
export function sourceRange(source: RandomAccess, offset: number, sizeBytes: number): RandomAccess {
  return {
    sizeBytes,
    read: (at, length) => source.read(offset + at, Math.max(0, Math.min(length, sizeBytes - at))),
  }
}

export function memorySource(bytes: Uint8Array): RandomAccess {
  return { sizeBytes: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** Copies up to `length` bytes: fewer at the end of the file, none if the offset is outside of it. */
export async function bytesAt(source: RandomAccess, offset: number, length: number): Promise<Uint8Array> {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset >= source.sizeBytes) return new Uint8Array(0)
  return copyOf(await source.read(offset, Math.min(length, source.sizeBytes - offset)))
}

const CHUNK_BYTES = 1024 * 1024

export async function* chunks(source: RandomAccess): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.sizeBytes; at += CHUNK_BYTES) {
    const bytes = await source.read(at, Math.min(CHUNK_BYTES, source.sizeBytes - at))
    yield bytes
    // The last chunk may be the whole file, which callers keep.
    if (at + CHUNK_BYTES < source.sizeBytes) source.done?.(bytes)
  }
}

/** Joins small chunks to pieces of up to this size. */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes)
  let length = 0
  for await (const bytes of content) {
    if (length > 0 && length + bytes.length > pieceBytes) {
      yield piece.subarray(0, length)
      piece = new Uint8Array(pieceBytes)
      length = 0
    }
    if (bytes.length >= pieceBytes) yield bytes
    else {
      piece.set(bytes, length)
      length += bytes.length
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}

const WINDOW_BYTES = 64 * 1024

/** Buffers a source for code that makes many small reads close together. */
export function buffered(source: RandomAccess): RandomAccess {
  let at = 0
  let window: Uint8Array = new Uint8Array(0)
  return {
    sizeBytes: source.sizeBytes,
    async read(offset, length) {
      if (length > WINDOW_BYTES / 2) return source.read(offset, length)
      if (offset < at || offset + length > at + window.length) {
        window = copyOf(await source.read(offset, Math.min(WINDOW_BYTES, source.sizeBytes - offset)))
        at = offset
      }
      return window.subarray(offset - at, offset - at + length)
    },
  }
}
