import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredObject } from './object-store.ts'

/** Computes size, SHA-256 and CRC-32 of chunks as they pass. */
export function measuring() {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let crc = 0
  return {
    async *pass(
      content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    ): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of content) {
        hash.update(chunk)
        crc = crc32(chunk, crc)
        sizeBytes += chunk.length
        if (chunk.length > 0) yield chunk
      }
    },
    result: (): StoredObject => ({ sha256: hash.digest('hex'), sizeBytes, crc32: crc }),
  }
}
