import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Measured, ObjectStore } from './object-store.ts'

/** Size, SHA-256 and CRC-32 of the bytes so far. */
export class Measure {
  at = 0
  #hash: Hash = createHash('sha256')
  #crc = 0

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#crc = crc32(bytes, this.#crc)
    this.at += bytes.length
  }

  async *pass(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      this.update(bytes)
      if (bytes.length > 0) yield bytes
    }
  }

  copy(): Measure {
    const copy = new Measure()
    copy.at = this.at
    copy.#hash = this.#hash.copy()
    copy.#crc = this.#crc
    return copy
  }

  result(): Measured {
    return { sha256: this.#hash.copy().digest('hex'), sizeBytes: this.at, crc32: this.#crc }
  }
}

/** Measures content without storing it. */
export const measuredOnly: Pick<ObjectStore, 'put' | 'delete'> = {
  delete: async () => {},
  async put(content) {
    const measure = new Measure()
    for await (const bytes of content instanceof Uint8Array ? [content] : content) measure.update(bytes)
    return { object: '', ...measure.result() }
  },
}
