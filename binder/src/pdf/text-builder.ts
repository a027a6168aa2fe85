/** Builds text of one byte per character in reused memory: a string that grows piece by piece makes several times as much garbage. */
export class TextBuilder {
  #bytes = Buffer.allocUnsafeSlow(8192)
  #length = 0

  add(piece: string): void {
    if (this.#length + piece.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * (this.#bytes.length + piece.length))
    for (let at = 0; at < piece.length; at++) this.#bytes[this.#length++] = piece.charCodeAt(at)
  }

  /** @returns what was added since the last time */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#length)
    this.#length = 0
    return text
  }
}
