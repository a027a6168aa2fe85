import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredObject } from './object-store.ts'

/** SHA-256 and CRC-32 of the first `at` bytes of an upload. */
export class RunningHash {
  at = 0
  #hash: Hash = createHash('sha256')
  #crc = 0

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#crc = crc32(bytes, this.#crc)
    this.at += bytes.length
  }

  copy(): RunningHash {
    const copy = new RunningHash()
    copy.at = this.at
    copy.#hash = this.#hash.copy()
    copy.#crc = this.#crc
    return copy
  }

  result(): StoredObject {
    return { sha256: this.#hash.copy().digest('hex'), sizeBytes: this.at, crc32: this.#crc }
  }
}

/** Uploads beyond this number are read again when they are complete. */
const MAX_KEPT = 1000

/** The hashes of uploads in progress at this node. They are lost with the process; then the stored part is read again. */
export class RunningHashes {
  readonly #kept = new Map<string, RunningHash>()

  get(id: string): RunningHash {
    return this.#kept.get(id) ?? new RunningHash()
  }

  keep(id: string, hash: RunningHash): void {
    this.#kept.delete(id)
    this.#kept.set(id, hash)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }

  forget(id: string): void {
    this.#kept.delete(id)
  }
}
