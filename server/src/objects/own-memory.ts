const own = new WeakSet<ArrayBufferLike>()

/**
 * Memory for bytes that pass through. Left to the collector, such buffers pile up by the hundred megabytes, and finding
 * them takes longer than whatever was done with the bytes; so whoever is done with one gives it back.
 */
export function takeMemory(length: number): Uint8Array<ArrayBuffer> {
  const { buffer } = Buffer.allocUnsafeSlow(length)
  own.add(buffer)
  // Not a Buffer: what its slice() gives would be freed with it.
  return new Uint8Array(buffer)
}

/** The same for bytes that Node gave, where they are all of their memory: the caller is the only one to hold them. */
export function adopt<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (bytes.byteLength === bytes.buffer.byteLength) own.add(bytes.buffer)
  return bytes
}

/**
 * Frees at once what `takeMemory` gave or `adopt` took; other bytes are left to the collector. Who still holds freed
 * bytes finds them empty, never changed. Not for bytes that the system still reads from or writes to.
 */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (own.delete(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** For bytes that get several holders: no one of them can give them back. */
export function share<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  own.delete(bytes.buffer)
  return bytes
}

/** All that comes, up to `length` bytes, in one piece that is the caller's to give back. */
export async function gather(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  let whole: Uint8Array | undefined
  let filled = 0
  for await (const bytes of chunks) {
    if (filled === 0 && bytes.length === length) return bytes
    whole ??= takeMemory(length)
    whole.set(bytes, filled)
    filled += bytes.length
    giveBack(bytes)
  }
  return whole?.subarray(0, filled) ?? new Uint8Array(0)
}
