export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit'

// NUL and most other control characters never occur in text. Terminal logs contain bell, backspace, escape, shift in and
// out, ^C and ^D; machine-readable logs use 1 and 28 to 31 as field separators.
const IN_TEXT = new Set([1, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 26, 27, 28, 29, 30, 31])
const CONTROL = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 32 && !IN_TEXT.has(byte) ? 1 : 0))

/** Whether there are control characters that do not occur in clean text. */
export function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => CONTROL[byte] === 1)
}

/** Tells text from binary content in a stream, and detects the encoding. */
export class TextDetector {
  #encoding: Encoding | undefined
  #controls = 0
  #zeros = 0
  #sizeBytes = 0
  // UTF-8: how many bytes of the current character are missing, and the range of the next one.
  #pending = 0
  #low = 0x80
  #high = 0xbf
  // UTF-16: the first half of a code unit, and whether a low surrogate must follow.
  #odd: number | undefined
  #wantsLow = false

  /** A byte order mark must be complete in the first chunk. */
  push(bytes: Uint8Array): void {
    if (this.isBinary || bytes.length === 0) return
    this.#sizeBytes += bytes.length
    this.#encoding ??= byteOrderMark(bytes) ?? 'utf-8'
    if (this.#encoding === 'utf-16le' || this.#encoding === 'utf-16be') this.#utf16(bytes)
    else this.#bytes(bytes)
  }

  /** The encoding, or undefined for binary content. `isNamedText`: its name says that it is a text. */
  end(isNamedText: boolean): Encoding | undefined {
    if (this.#odd !== undefined || this.#wantsLow) this.#controls++
    if (this.#pending > 0 && this.#encoding === 'utf-8') this.#encoding = '8-bit'
    return this.#isText(isNamedText) ? (this.#encoding ?? 'utf-8') : undefined
  }

  /** Certainly not a text. */
  get isBinary(): boolean {
    return this.#controls > 64 + this.#sizeBytes / 50
  }

  /** Whether there are characters that clean text does not have. */
  get hasControls(): boolean {
    return this.#controls + this.#zeros > 0
  }

  /** Logs have holes of NUL bytes after a crash, and control characters that a program printed. */
  #isText(isNamedText: boolean): boolean {
    if (isNamedText) return this.#controls <= 4 + this.#sizeBytes / 100
    return this.#controls + this.#zeros <= this.#sizeBytes / 200
  }

  #bytes(bytes: Uint8Array): void {
    let utf8 = this.#encoding === 'utf-8'
    const end = bytes.length
    const words = wordsIn(bytes)
    for (let at = this.#pending > 0 ? 0 : skipAscii(bytes, words, 0); at < end;) {
      const byte = bytes[at++] as number
      if (byte < 0x80) {
        if (byte === 0) {
          const from = at - 1
          while (at < end && bytes[at] === 0) at++
          this.#zeros += at - from
        } else if (CONTROL[byte] === 1) this.#controls++
        if (this.#pending > 0) utf8 = false
        else at = skipAscii(bytes, words, at)
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
    // Excludes overlong forms, surrogates and anything above U+10FFFF.
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
      if (unit === 0) this.#zeros++
      else if (isLow !== this.#wantsLow || (unit < 128 && CONTROL[unit] === 1)) this.#controls++
      this.#wantsLow = unit >= 0xd800 && unit <= 0xdbff
    }
  }
}

/** The bytes as words, and where the first word starts. */
interface Words {
  readonly words: Uint32Array
  readonly start: number
}

function wordsIn(bytes: Uint8Array): Words {
  const start = Math.min(bytes.length, -bytes.byteOffset & 3)
  const count = (bytes.length - start) >> 2
  return { words: new Uint32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset + start, count), start }
}

/** Skips printable ASCII and line ends, four bytes at a time, because most text is nothing else. */
function skipAscii(bytes: Uint8Array, { words, start }: Words, from: number): number {
  let at = from
  while (at < bytes.length && (((at - start) & 3) !== 0 || at < start)) {
    const byte = bytes[at] as number
    if (byte > 0x7f || (byte < 0x20 && byte !== 10 && byte !== 13 && byte !== 9)) return at
    at++
  }
  if (at >= bytes.length) return at
  let index = (at - start) >> 2
  for (; index < words.length; index++) {
    const word = words[index] as number
    // Any byte above 127 or below 32.
    if ((word & 0x80808080) === 0 && ((word - 0x20202020) & ~word & 0x80808080) === 0) continue
    if ((word & 0x80808080) !== 0 || !isPlain(word)) break
  }
  return start + index * 4
}

/** Whether the bytes below 32 in a word are line ends and tabs. */
function isPlain(word: number): boolean {
  return (
    PLAIN[word & 255] === 1 &&
    PLAIN[(word >>> 8) & 255] === 1 &&
    PLAIN[(word >>> 16) & 255] === 1 &&
    PLAIN[word >>> 24] === 1
  )
}

const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 32 && byte < 128) || byte === 9 || byte === 10 || byte === 13 ? 1 : 0,
)

/** The length of a UTF-8 byte order mark: 3, or 0 if there is none. */
export function utf8MarkBytes(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** The encoding that a UTF-16 byte order mark declares. */
export function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
