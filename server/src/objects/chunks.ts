import type { ServerResponse } from 'node:http'
import type { RandomAccess } from '@kitseal/kit'
import { adoptBuffer, allocateBuffer, freeBuffer, shareBuffer } from './buffers.ts'
import type { ObjectStore } from './object-store.ts'

/** Collects up to `length` bytes in one buffer, which the caller owns. */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  let whole: Uint8Array | undefined
  let filled = 0
  for await (const bytes of chunks) {
    if (filled === 0 && bytes.length === length) return bytes
    whole ??= allocateBuffer(length)
    whole.set(bytes, filled)
    filled += bytes.length
    freeBuffer(bytes)
  }
  return whole?.subarray(0, filled) ?? new Uint8Array(0)
}

/** Joins chunks into one, and frees them. */
export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = allocateBuffer(length)
  let at = 0
  for (const bytes of chunks) {
    whole.set(bytes, at)
    at += bytes.length
    freeBuffer(bytes)
  }
  return whole
}

/** Reads a range of an object into memory. */
export async function readFully(
  objects: Pick<ObjectStore, 'read'>,
  sha256: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  return shareBuffer(await collectChunks(objects.read(sha256, start, end), end - start))
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
    done: freeBuffer,
  }
}

/** Frees each chunk when the next one is requested. */
export function lendChunks(next: () => Promise<IteratorResult<Uint8Array>>): AsyncIterable<Uint8Array> {
  let lent: Uint8Array | undefined
  const lendNext = async (): Promise<IteratorResult<Uint8Array>> => {
    if (lent !== undefined) freeBuffer(lent)
    lent = undefined
    const result = await next()
    if (result.done !== true) lent = adoptBuffer(result.value)
    return result
  }
  return { [Symbol.asyncIterator]: () => ({ next: lendNext }) }
}

/** Frees each chunk of a response once the system has sent it. */
export function freeWhenSent(response: ServerResponse): void {
  const write = response.write.bind(response)
  response.write = (bytes: Uint8Array) => write(bytes, (error) => (error ? undefined : freeBuffer(bytes)))
}
