/** Smaller objects stay in memory until they are kept: that takes one request instead of four. */
const SMALL_BYTES = 1024 * 1024
/** Total of all concurrent uploads. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

export interface MemoryUse {
  bytes: number
}

export type Collected =
  | { readonly is: 'small'; readonly bytes: Uint8Array; readonly release: () => void }
  | { readonly is: 'large'; readonly content: AsyncIterable<Uint8Array> }

/** Collects content in memory until its end, or until it is too large. */
export async function collectSmall(
  content: AsyncGenerator<Uint8Array>,
  memory: MemoryUse,
): Promise<Collected> {
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const next = await content.next()
    if (next.done === true) break
    parts.push(new Uint8Array(next.value))
    length += next.value.length
    if (length > SMALL_BYTES || memory.bytes + length > MAX_MEMORY_BYTES)
      return { is: 'large', content: continued(parts, content) }
  }
  memory.bytes += length
  let isHeld = true
  const release = (): void => {
    if (isHeld) memory.bytes -= length
    isHeld = false
  }
  return { is: 'small', bytes: Buffer.concat(parts, length), release }
}

async function* continued(parts: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
  // Chunks are sent later, when their owner may have freed them.
  yield* rest
}
