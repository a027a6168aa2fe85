/** What bytes are as text. */
export type TextVerdict =
  | { readonly is: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit' }
  | { readonly is: 'binary' }

// NUL and its like never stand in text. Bell, backspace, escape, the shifts to other letters and typed ^C and ^D do, in
// the logs of terminals; 1 and 28 to 31 part fields in those that machines read.
const IN_TEXT = new Set([1, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 26, 27, 28, 29, 30, 31])
const CONTROL = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 32 && !IN_TEXT.has(byte) ? 1 : 0))

/** Tells text from other bytes, piece by piece, and its encoding with it. */
export class TextBytes {
  #encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit' | undefined
  #binary = false
  // UTF-8: how many bytes of the character are still to come, and what the next of them may be.
  #pending = 0
  #low = 0x80
  #high = 0xbf
  // UTF-16: the odd byte of a piece, and whether a low surrogate has to follow.
  #odd: number | undefined
  #wantsLow = false

  /** The first piece has to hold the byte order mark whole, where there is one. */
  push(bytes: Uint8Array): void {
    if (this.#binary || bytes.length === 0) return
    this.#encoding ??= byteOrderMark(bytes) ?? 'utf-8'
    if (this.#encoding === 'utf-16le' || this.#encoding === 'utf-16be') this.#utf16(bytes)
    else this.#bytes(bytes)
  }

  end(): TextVerdict {
    if (this.#odd !== undefined || this.#wantsLow) this.#binary = true
    if (this.#pending > 0 && this.#encoding === 'utf-8') this.#encoding = '8-bit'
    return this.#binary ? { is: 'binary' } : { is: 'text', encoding: this.#encoding ?? 'utf-8' }
  }

  get isBinary(): boolean {
    return this.#binary
  }

  #bytes(bytes: Uint8Array): void {
    let utf8 = this.#encoding === 'utf-8'
    const end = bytes.length
    for (let at = this.#pending > 0 ? 0 : plainUntil(bytes, 0); at < end;) {
      const byte = bytes[at++] as number
      if (byte < 0x80) {
        if (CONTROL[byte] === 1) {
          this.#binary = true
          return
        }
        if (this.#pending > 0) utf8 = false
        else at = plainUntil(bytes, at)
      } else if (utf8 && !this.#utf8Byte(byte)) utf8 = false
      if (!utf8) this.#pending = 0
    }
    if (!utf8) this.#encoding = '8-bit'
  }

  #utf8Byte(byte: number): boolean {
    if (this.#pending > 0) {
      if (byte < this.#low || byte > this.#high) return false
      this.#pending--
      this.#low = 0x80
      this.#high = 0xbf
      return true
    }
    if (byte < 0xc2 || byte > 0xf4) return false
    this.#pending = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    // No overlong forms, no surrogates, nothing above U+10FFFF.
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    return true
  }

  #utf16(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#odd === undefined) {
        this.#odd = byte
        continue
      }
      const unit = this.#encoding === 'utf-16le' ? this.#odd | (byte << 8) : (this.#odd << 8) | byte
      this.#odd = undefined
      const isLow = unit >= 0xdc00 && unit <= 0xdfff
      if (isLow !== this.#wantsLow || (unit < 128 && CONTROL[unit] === 1)) {
        this.#binary = true
        return
      }
      this.#wantsLow = unit >= 0xd800 && unit <= 0xdbff
    }
  }
}

/** Where printable ASCII ends, read four bytes at a time: most text is nothing else. */
function plainUntil(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && ((bytes.byteOffset + at) & 3) !== 0) {
    const byte = bytes[at] as number
    if (byte < 0x20 || byte > 0x7f) return at
    at++
  }
  const count = (bytes.length - at) >> 2
  if (count <= 0) return at
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, count)
  let index = 0
  for (; index < count; index++) {
    const word = words[index] as number
    // A byte above 127, or one below 32.
    if ((word & 0x80808080) !== 0 || ((word - 0x20202020) & ~word & 0x80808080) !== 0) break
  }
  return at + index * 4
}

/** How many bytes the mark takes that some programs put before UTF-8: three, or none. */
export function utf8MarkBytes(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

export function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
