import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredObject } from './object-store.ts'

/** Hashes what passes. Pieces are lent by whoever yields them, and copied by whoever keeps them. */
export function measuring() {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let crc = 0
  return {
    async *pass(
      content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    ): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const piece of content) {
        hash.update(piece)
        crc = crc32(piece, crc)
        sizeBytes += piece.length
        if (piece.length > 0) yield piece
      }
    },
    result: (): StoredObject => ({ sha256: hash.digest('hex'), sizeBytes, crc32: crc }),
  }
}
