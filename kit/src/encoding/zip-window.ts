import type { RandomAccess } from './zip-fields.ts'
import { ZipProblem } from './zip-problem.ts'

export const WINDOW_BYTES = 256 * 1024

/** A buffered reader: small entries need no read of their own. */
export class ZipWindow {
  readonly #source: RandomAccess
  readonly #end: number
  readonly #bufferBytes: number
  #at = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: RandomAccess, end: number, bufferBytes = WINDOW_BYTES) {
    this.#source = source
    this.#end = end
    this.#bufferBytes = bufferBytes
  }

  /** The bytes, if they are buffered. Avoids a promise for each of thousands of small entries. */
  buffered(at: number, length: number): Uint8Array | undefined {
    const from = at - this.#at
    return from >= 0 && at + length <= this.#end && from + length <= this.#bytes.length
      ? this.#bytes.subarray(from, from + length)
      : undefined
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    if (at + length > this.#end) throw new ZipProblem('it extends past the end of the entries')
    if (at < this.#at || at + length > this.#at + this.#bytes.length) {
      await this.#fill(at, Math.min(Math.max(length, this.#bufferBytes), this.#end - at))
    }
    return this.#bytes.subarray(at - this.#at, at - this.#at + length)
  }

  async *chunks(at: number, length: number): AsyncGenerator<Uint8Array> {
    const end = at + length
    if (end > this.#end && length > 0) throw new ZipProblem('it extends past the end of the entries')
    for (let from = at; from < end;) {
      if (from < this.#at || from >= this.#at + this.#bytes.length) {
        await this.#fill(from, Math.min(WINDOW_BYTES, this.#end - from))
      }
      const bytes = this.#bytes.subarray(from - this.#at, Math.min(this.#bytes.length, end - this.#at))
      from += bytes.length
      yield bytes
    }
  }

  async #fill(at: number, length: number): Promise<void> {
    this.#source.done?.(this.#bytes)
    this.#bytes = await this.#source.read(at, length)
    this.#at = at
    if (this.#bytes.length !== length) throw new ZipProblem('the archive is truncated')
  }
}
