import { joined } from '@kitseal/kit/internal'
import { BLOCK_BYTES, blockSum, pairTable, wordsIn } from '../search/word-scan.ts'

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
  /** The start of a character of UTF-8 that goes on in the next bytes. */
  #split: Uint8Array = new Uint8Array(0)
  // UTF-16: the first half of a code unit, and whether a low surrogate must follow.
  #odd: number | undefined
  #wantsLow = false

  /** What shows UTF-16 must be complete in the first chunk. */
  push(bytes: Uint8Array): void {
    if (this.isBinary || bytes.length === 0) return
    this.#sizeBytes += bytes.length
    this.#encoding ??= utf16Encoding(bytes) ?? 'utf-8'
    if (this.#encoding === 'utf-16le' || this.#encoding === 'utf-16be') this.#utf16(bytes)
    else this.#bytes(bytes)
  }

  /** The encoding, or undefined for binary content. `isNamedText`: its name says that it is a text. */
  end(isNamedText: boolean): Encoding | undefined {
    if (this.#odd !== undefined || this.#wantsLow) this.#controls++
    if (this.#encoding === 'utf-8' && !isUtf8(this.#split)) this.#encoding = '8-bit'
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

  /** In windows, so that only those with other characters than ASCII are decoded. */
  #bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
      const window = bytes.subarray(at, at + WINDOW_BYTES)
      const isAscii = this.#countControls(window)
      if (this.#encoding === 'utf-8' && !(isAscii && this.#split.length === 0)) this.#decode(window)
    }
  }

  /** The platform decodes faster than code can. The last character may go on in the next bytes. */
  #decode(window: Uint8Array): void {
    const bytes = joined([this.#split, window])
    const end = startOfLast(bytes)
    if (!isUtf8(bytes.subarray(0, end))) this.#encoding = '8-bit'
    this.#split = bytes.slice(end)
  }

  /** Counts what does not occur in clean text. Returns whether all bytes are ASCII. */
  #countControls(bytes: Uint8Array): boolean {
    const { words, start } = wordsIn(bytes)
    const last = words.length - 4
    let high = this.#countIn(bytes, 0, start)
    let index = 0
    for (; index <= last; index += 4) {
      const sum = blockSum(words, index, UNUSUAL)
      if (sum >= HAS_CONTROL) this.#countIn(bytes, start + index * 4, start + index * 4 + BLOCK_BYTES)
      high |= sum & (HAS_CONTROL - 1)
    }
    return (high | this.#countIn(bytes, start + index * 4, bytes.length)) === 0
  }

  /** Returns 1 if there are other bytes than ASCII. */
  #countIn(bytes: Uint8Array, from: number, to: number): number {
    let high = 0
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (byte > 0x7f) high = 1
      else if (byte === 0) this.#zeros++
      else if (CONTROL[byte] === 1) this.#controls++
    }
    return high
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

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function isUtf8(bytes: Uint8Array): boolean {
  try {
    UTF8.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Decoded texts of this size are cheap to throw away. */
const WINDOW_BYTES = 8192

/** Where the last character starts if it may go on after these bytes, or their length. */
function startOfLast(bytes: Uint8Array): number {
  const end = bytes.length
  for (let at = end - 1; at >= Math.max(0, end - 3); at--) {
    const byte = bytes[at] as number
    if (byte < 0x80) return end
    if (byte >= 0xc0) return at
  }
  return end
}

const HAS_CONTROL = 16

/** 1 for pairs with bytes above 127, `HAS_CONTROL` for those with control characters that are not line ends or tabs. */
const UNUSUAL = pairTable(
  (first, second) =>
    (isControl(first) || isControl(second) ? HAS_CONTROL : 0) + (first > 127 || second > 127 ? 1 : 0),
)

function isControl(byte: number): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 13
}

/** The length of a UTF-8 byte order mark: 3, or 0 if there is none. */
export function utf8MarkBytes(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** UTF-16, by a byte order mark or by the start of an XML declaration without one. */
export function utf16Encoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c, d] = bytes
  if ((a === 0xff && b === 0xfe) || (a === LESS && b === 0 && c === QUESTION && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === LESS && c === 0 && d === QUESTION)) return 'utf-16be'
  return undefined
}

const [LESS, QUESTION] = [0x3c, 0x3f]
