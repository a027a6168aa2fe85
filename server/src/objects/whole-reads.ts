import type { Reads } from './block-reads.ts'
import { shareBuffer } from './buffers.ts'

/** Reads the object `whole` once and serves all ranges of it from memory. */
export function wholeReads(objects: Reads, whole: string): Reads {
  let content: Promise<Uint8Array> | undefined

  async function* readPart(start: number, end?: number): AsyncGenerator<Uint8Array> {
    content ??= collect(objects.read(whole))
    const bytes = await content
    if (end !== undefined && end > bytes.length) yield* objects.read(whole, start, end)
    else yield bytes.subarray(start, end)
  }

  return {
    isRemote: objects.isRemote ?? false,
    read: (sha256, start = 0, end) =>
      sha256 === whole ? readPart(start, end) : objects.read(sha256, start, end),
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return parts.length === 1 && parts[0] !== undefined ? shareBuffer(parts[0]) : Buffer.concat(parts)
}
