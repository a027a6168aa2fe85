/**
 * A raw deflate stream with one fixed-Huffman block of literals. Not made by zlib, whose output differs between
 * machines: vectors must have the same bytes everywhere.
 */
export function deflate(bytes: Uint8Array): Uint8Array {
  const bits = new Bits()
  bits.low(0b011, 3) // last block, fixed codes
  for (const byte of bytes) {
    if (byte < 144) bits.high(0x30 + byte, 8)
    else bits.high(0x190 + byte - 144, 9)
  }
  bits.high(0, 7) // end of block
  return bits.done()
}

class Bits {
  readonly #bytes: number[] = []
  #held = 0
  #count = 0

  /** Numbers are written lowest bit first. */
  low(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#push((value >> bit) & 1)
  }

  /** Huffman codes are written highest bit first. */
  high(code: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) this.#push((code >> bit) & 1)
  }

  #push(bit: number): void {
    this.#held |= bit << this.#count
    if (++this.#count < 8) return
    this.#bytes.push(this.#held)
    this.#held = 0
    this.#count = 0
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#count > 0 ? [...this.#bytes, this.#held] : this.#bytes)
  }
}
