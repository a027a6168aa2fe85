const owned = new WeakSet<ArrayBufferLike>()

/**
 * Allocates a buffer that is freed explicitly. Left to the garbage collector, buffers of passing content pile up by the
 * hundred megabytes.
 */
export function allocateBuffer(length: number): Uint8Array<ArrayBuffer> {
  const { buffer } = Buffer.allocUnsafeSlow(length)
  owned.add(buffer)
  // Not a Buffer: its slice() would share the memory.
  return new Uint8Array(buffer)
}

/** Takes ownership of bytes that Node allocated, if they are all of their ArrayBuffer. */
export function adoptBuffer<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (bytes.byteLength === bytes.buffer.byteLength) owned.add(bytes.buffer)
  return bytes
}

/** Frees an allocated or adopted buffer; all views of it become empty. Has no effect on other bytes. */
export function freeBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (owned.delete(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Leaves a buffer to the garbage collector, because it has several owners. */
export function shareBuffer<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  owned.delete(bytes.buffer)
  return bytes
}

/** Frees what zlib returned: Node allocates each inflated buffer separately. */
export function freeInflated({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
