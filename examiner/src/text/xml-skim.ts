import { SPACE_BYTES, utf8End } from './text-bytes.ts'

const [LESS, GREATER, SLASH, EQUALS, BANG, AMPERSAND] = [0x3c, 0x3e, 0x2f, 0x3d, 0x21, 0x26]
const [BRACKET, DASH, NEWLINE, RETURN, QUOTE, APOSTROPHE] = [0x5d, 0x2d, 0x0a, 0x0d, 0x22, 0x27]

/** The markup is incomplete, or it is not plain. */
const [INCOMPLETE, NOT_PLAIN] = [-1, -2]

const MAX_NAME = 200
const MAX_DEPTH = 1000
const MAX_ATTRIBUTES = 40

const isIn = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
const NAME_START = isIn(/[A-Za-z_:]/)
const NAME = isIn(/[\w:.-]/)
// Bytes that need no other look, in each place.
const IN_TEXT = isIn(/[\t\x20-\x7f](?<![<&\]])/)
const IN_QUOTES = isIn(/[\t\x20-\x7f](?<![<&"])/)
const IN_APOSTROPHES = isIn(/[\t\x20-\x7f](?<![<&'])/)
const IN_COMMENT = isIn(/[\t\x20-\x7f](?<!-)/)
const IN_CDATA = isIn(/[\t\x20-\x7f](?<!\])/)

/**
 * Reads the plain content of an element in UTF-8: elements with names in ASCII, attributes, text, the references that need
 * no declaration, comments and CDATA sections. It stops where anything else starts, which includes every error.
 */
export class XmlSkimmer {
  /** The names of the open elements, one after the other, and where each starts. */
  #names = new Uint8Array(16 * MAX_NAME)
  readonly #starts = new Int32Array(MAX_DEPTH)
  #namesEnd = 0
  #depth = 0
  readonly #attributes = new Int32Array(2 * MAX_ATTRIBUTES)
  line = 1
  /** The column of a place is its index less this: characters may take several bytes. */
  #column = 0
  /** Whether it stopped because the content is not plain, or because there are no more bytes. */
  isPlain = true

  /** Starts at a place in a text. */
  begin(at: number, line: number, column: number): void {
    this.line = line
    this.#column = at - column
    this.#depth = this.#namesEnd = 0
  }

  /** Reads from a place in a text. Returns the last place in a text that it reached, up to which all is plain. */
  skim(bytes: Uint8Array, from: number, maxDepth: number): number {
    const end = bytes.length
    const depthLimit = Math.min(maxDepth, MAX_DEPTH)
    this.isPlain = true
    let at = from
    while (at < end) {
      const byte = bytes[at] as number
      if (IN_TEXT[byte] === 1) {
        at = plainEnd(bytes, at + 1, IN_TEXT)
        continue
      }
      const line = this.line
      const column = this.#column
      const next = byte === LESS ? this.#markup(bytes, at, depthLimit) : this.#inText(bytes, at, byte)
      if (next < 0) {
        this.line = line
        this.#column = column
        this.isPlain = next === INCOMPLETE
        break
      }
      at = next
    }
    return at
  }

  /** The column of a place that was reached, in characters. */
  columnAt(at: number): number {
    return at - this.#column
  }

  /** The next bytes begin at this place of the current ones. */
  moveTo(at: number): void {
    this.#column -= at
  }

  /** Opens the elements that are open, and forgets them. */
  takeOpen(): string {
    const text = new TextDecoder()
    const ends = [...this.#starts.subarray(1, this.#depth), this.#namesEnd]
    const names = Array.from(this.#starts.subarray(0, this.#depth), (start, index) =>
      text.decode(this.#names.subarray(start, ends[index])),
    )
    this.#depth = this.#namesEnd = 0
    return names.map((name) => `<${name}>`).join('')
  }

  #markup(bytes: Uint8Array, at: number, depthLimit: number): number {
    if (at + 1 >= bytes.length) return INCOMPLETE
    const next = bytes[at + 1] as number
    if (next === SLASH) return this.#endTag(bytes, at + 2)
    if (NAME_START[next] === 1) return this.#startTag(bytes, at + 1, depthLimit)
    if (next !== BANG) return NOT_PLAIN
    if (at + 9 > bytes.length) return INCOMPLETE
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) return this.#comment(bytes, at + 4)
    return isCdata(bytes, at) ? this.#cdata(bytes, at + 9) : NOT_PLAIN
  }

  #startTag(bytes: Uint8Array, from: number, depthLimit: number): number {
    const end = bytes.length
    if (this.#depth >= depthLimit) return NOT_PLAIN
    if (this.#namesEnd + MAX_NAME > this.#names.length) this.#growNames()
    const names = this.#names
    const limit = Math.min(end, from + MAX_NAME)
    let at = from
    let top = this.#namesEnd
    while (at < limit && NAME[bytes[at] as number] === 1) names[top++] = bytes[at++] as number
    if (at === limit) return at === end ? INCOMPLETE : NOT_PLAIN
    if (bytes[at] !== GREATER) {
      at = this.#attributesFrom(bytes, at)
      if (at < 0) return at
      if (bytes[at] === SLASH) return at + 2
    }
    this.#starts[this.#depth++] = this.#namesEnd
    this.#namesEnd = top
    return at + 1
  }

  /** Returns the place of `>` or `/>`. */
  #attributesFrom(bytes: Uint8Array, from: number): number {
    const end = bytes.length
    let at = from
    for (let count = 0; ; count++) {
      const space = at
      at = this.#skipSpaces(bytes, at)
      if (at + 1 >= end) return at < end && bytes[at] === GREATER ? at : INCOMPLETE
      const byte = bytes[at] as number
      if (byte === GREATER) return at
      if (byte === SLASH) return bytes[at + 1] === GREATER ? at : NOT_PLAIN
      if (at === space || NAME_START[byte] !== 1 || count === MAX_ATTRIBUTES) return NOT_PLAIN
      const nameAt = at
      while (at < end && NAME[bytes[at] as number] === 1) at++
      if (this.#isRepeated(bytes, nameAt, at, count)) return NOT_PLAIN
      at = this.#skipSpaces(bytes, at)
      if (at >= end) return INCOMPLETE
      if (bytes[at] !== EQUALS) return NOT_PLAIN
      at = this.#skipSpaces(bytes, at + 1)
      if (at >= end) return INCOMPLETE
      at = this.#value(bytes, at)
      if (at < 0) return at
    }
  }

  #isRepeated(bytes: Uint8Array, from: number, to: number, count: number): boolean {
    const attributes = this.#attributes
    const length = to - from
    for (let index = 0; index < count; index++) {
      if (attributes[2 * index + 1] !== length) continue
      const other = attributes[2 * index] as number
      let same = 0
      while (same < length && bytes[from + same] === bytes[other + same]) same++
      if (same === length) return true
    }
    attributes[2 * count] = from
    attributes[2 * count + 1] = length
    return false
  }

  #value(bytes: Uint8Array, from: number): number {
    const quote = bytes[from] as number
    if (quote !== QUOTE && quote !== APOSTROPHE) return NOT_PLAIN
    const plain = quote === QUOTE ? IN_QUOTES : IN_APOSTROPHES
    const end = bytes.length
    let at = plainEnd(bytes, from + 1, plain)
    while (at < end) {
      const byte = bytes[at] as number
      if (byte === quote) return at + 1
      at = this.#other(bytes, at, byte)
      if (at < 0) return at
      at = plainEnd(bytes, at, plain)
    }
    return INCOMPLETE
  }

  /** The end tag of the innermost element. */
  #endTag(bytes: Uint8Array, from: number): number {
    if (this.#depth === 0) return NOT_PLAIN
    const start = this.#starts[this.#depth - 1] as number
    const length = this.#namesEnd - start
    if (from + length >= bytes.length) return INCOMPLETE
    const names = this.#names
    for (let index = 0; index < length; index++) {
      if (bytes[from + index] !== names[start + index]) return NOT_PLAIN
    }
    let at = from + length
    if (bytes[at] !== GREATER) {
      at = this.#skipSpaces(bytes, at)
      if (at >= bytes.length) return INCOMPLETE
      if (bytes[at] !== GREATER) return NOT_PLAIN
    }
    this.#depth--
    this.#namesEnd = start
    return at + 1
  }

  #comment(bytes: Uint8Array, from: number): number {
    let at = this.#skipTo(bytes, from, IN_COMMENT, DASH)
    while (at >= 0 && bytes[at + 1] !== DASH) at = this.#skipTo(bytes, at + 1, IN_COMMENT, DASH)
    if (at < 0) return at
    if (at + 2 >= bytes.length) return INCOMPLETE
    return bytes[at + 2] === GREATER ? at + 3 : NOT_PLAIN
  }

  #cdata(bytes: Uint8Array, from: number): number {
    let at = this.#skipTo(bytes, from, IN_CDATA, BRACKET)
    while (at >= 0 && (bytes[at + 1] !== BRACKET || bytes[at + 2] !== GREATER)) {
      at = this.#skipTo(bytes, at + 1, IN_CDATA, BRACKET)
    }
    return at < 0 ? at : at + 3
  }

  /** Where `stop` is next. */
  #skipTo(bytes: Uint8Array, from: number, plain: Uint8Array, stop: number): number {
    const end = bytes.length
    let at = plainEnd(bytes, from, plain)
    while (at < end) {
      const byte = bytes[at] as number
      if (byte === stop) return at
      at = this.#character(bytes, at, byte)
      if (at < 0) return at
      at = plainEnd(bytes, at, plain)
    }
    return INCOMPLETE
  }

  #inText(bytes: Uint8Array, at: number, byte: number): number {
    if (byte !== BRACKET) return this.#other(bytes, at, byte)
    let next = at + 1
    while (next < bytes.length && bytes[next] === BRACKET) next++
    if (next === bytes.length) return INCOMPLETE
    return next > at + 1 && bytes[next] === GREATER ? NOT_PLAIN : next
  }

  #other(bytes: Uint8Array, at: number, byte: number): number {
    return byte === AMPERSAND ? reference(bytes, at + 1) : this.#character(bytes, at, byte)
  }

  #character(bytes: Uint8Array, at: number, byte: number): number {
    if (byte === NEWLINE || byte === RETURN) return this.#lineBreak(bytes, at, byte)
    if (byte < 0x80) return NOT_PLAIN
    const next = utf8End(bytes, at)
    if (next === 0) return bytes.length - at < 4 ? INCOMPLETE : NOT_PLAIN
    // U+FFFE and U+FFFF are no characters.
    const isNone = byte === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe
    if (isNone) return NOT_PLAIN
    this.#column += next - at - 1
    return next
  }

  #lineBreak(bytes: Uint8Array, at: number, byte: number): number {
    let next = at + 1
    if (byte === RETURN) {
      if (next === bytes.length) return INCOMPLETE
      if (bytes[next] !== NEWLINE) return NOT_PLAIN
      next++
    }
    this.line++
    this.#column = next
    return next
  }

  /** A line break that is not plain is left where it is. */
  #skipSpaces(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length && SPACE_BYTES[bytes[at] as number] === 1) {
      const byte = bytes[at] as number
      if (byte !== NEWLINE && byte !== RETURN) at++
      else {
        const next = this.#lineBreak(bytes, at, byte)
        if (next === INCOMPLETE) return bytes.length
        if (next < 0) return at
        at = next
      }
    }
    return at
  }

  #growNames(): void {
    const names = new Uint8Array(2 * this.#names.length)
    names.set(this.#names)
    this.#names = names
  }
}

/** Where a run of plain bytes ends. */
function plainEnd(bytes: Uint8Array, from: number, plain: Uint8Array): number {
  const end = bytes.length
  const lastFour = end - 3
  let at = from
  while (
    at < lastFour &&
    ((plain[bytes[at] as number] as number) &
      (plain[bytes[at + 1] as number] as number) &
      (plain[bytes[at + 2] as number] as number) &
      (plain[bytes[at + 3] as number] as number)) ===
      1
  ) {
    at += 4
  }
  while (at < end && plain[bytes[at] as number] === 1) at++
  return at
}

function isCdata(bytes: Uint8Array, at: number): boolean {
  for (let index = 2; index < 9; index++)
    if (bytes[at + index] !== '<![CDATA['.charCodeAt(index)) return false
  return true
}

const MAX_REFERENCE = 10
const REFERENCE = /^(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/i

/** `&amp;` and the others that need no declaration, and numbers of characters. */
function reference(bytes: Uint8Array, from: number): number {
  if (
    bytes[from] === 0x61 &&
    bytes[from + 1] === 0x6d &&
    bytes[from + 2] === 0x70 &&
    bytes[from + 3] === 0x3b
  )
    return from + 4
  const text = String.fromCharCode(...bytes.subarray(from, from + MAX_REFERENCE))
  const found = REFERENCE.exec(text)?.[0]
  if (found === undefined) return from + MAX_REFERENCE > bytes.length ? INCOMPLETE : NOT_PLAIN
  if (!found.startsWith('#')) return /[A-Z]/.test(found) ? NOT_PLAIN : from + found.length
  if (found.startsWith('#X')) return NOT_PLAIN
  const code = found[1] === 'x' ? Number.parseInt(found.slice(2), 16) : Number.parseInt(found.slice(1), 10)
  return isCharacter(code) ? from + found.length : NOT_PLAIN
}

function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
