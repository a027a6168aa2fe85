/** Builds text of one byte per character in reused memory: a string that grows piece by piece makes several times as much garbage. */
export class TextBuilder {
  #bytes = Buffer.allocUnsafeSlow(8192)
  #length = 0

  add(piece: string): void {
    const start = this.#length
    const end = start + piece.length
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end)
    const bytes = this.#bytes
    for (let at = start; at < end; at++) bytes[at] = piece.charCodeAt(at - start)
    this.#length = end
  }

  /** @returns what was added since the last time */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#length)
    this.#length = 0
    return text
  }
}
