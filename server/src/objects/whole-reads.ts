import type { Reads } from './block-reads.ts'
import { share } from './own-memory.ts'

/**
 * A store for one reader who takes many small parts of one object: it is read from the store once, whole, when the first
 * part is asked for. Not for a reader who waits for a slow client: it holds memory.
 */
export function wholeReads(objects: Reads, whole: string): Reads {
  let content: Promise<Uint8Array> | undefined

  async function* readPart(start: number, end?: number): AsyncGenerator<Uint8Array> {
    content ??= readAll(objects.read(whole))
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

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return parts.length === 1 && parts[0] !== undefined ? share(parts[0]) : Buffer.concat(parts)
}
