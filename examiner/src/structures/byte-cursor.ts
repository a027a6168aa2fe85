import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, viewOf } from '../platform/sources.ts'

const WINDOW_BYTES = 256 * 1024

/** Reads small fields anywhere in a file, from a window in memory: a million of them do not need a million reads. */
export class ByteCursor {
  readonly sizeBytes: number
  readonly #source: RandomAccess
  #at = 0
  #view: DataView = new DataView(new ArrayBuffer(0))

  constructor(source: RandomAccess) {
    this.#source = source
    this.sizeBytes = source.sizeBytes
  }

  /** Whether the file has these bytes. They can be read until the next call. */
  has(at: number, length: number): boolean | Promise<boolean> {
    return this.#isLoaded(at, length) || this.#load(at, length)
  }

  u8(at: number): number {
    return this.#view.getUint8(at - this.#at)
  }

  u16(at: number, littleEndian = false): number {
    return this.#view.getUint16(at - this.#at, littleEndian)
  }

  u32(at: number, littleEndian = false): number {
    return this.#view.getUint32(at - this.#at, littleEndian)
  }

  #isLoaded(at: number, length: number): boolean {
    return at >= this.#at && at + length <= this.#at + this.#view.byteLength
  }

  async #load(at: number, length: number): Promise<boolean> {
    this.#view = viewOf(await bytesAt(this.#source, at, WINDOW_BYTES))
    this.#at = at
    return this.#isLoaded(at, length)
  }
}
