import { utf8MarkBytes } from '../detect/text-encoding.ts'
import { NO_FINDINGS, type ReadText, type TextCheck, type TextReport } from './text-check.ts'

const MAX_DEPTH = 1000
const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a]

// Parser states. Numbers, because they are compared for every byte of hundreds of megabytes.
const VALUE = 0
const VALUE_OR_CLOSE = 1
const NAME = 2
const NAME_OR_CLOSE = 3
const COLON = 4
const AFTER_VALUE = 5
const STRING = 6
const ESCAPE = 7
const HEX = 8
const WORD = 9
const NUMBER = 10

const PLAIN_IN_STRING = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
)

// The parts of a number. It is complete from ZERO on.
const [MINUS, POINT, E, SIGN, ZERO, WHOLE, FRACTION, EXPONENT] = [0, 1, 2, 3, 4, 5, 6, 7]

/**
 * Checks the syntax of JSON (RFC 8259) or JSON Lines of any size. A document may hold several values, as tools write them
 * that append to a file. Unlike the strict parser for kit documents, it allows
 * fractions, large numbers and duplicate names.
 */
export class JsonSyntax implements TextCheck {
  readonly readsUtf8 = true
  readonly #lines: boolean
  readonly #isObject = new Uint8Array(MAX_DEPTH + 1)
  #depth = 0
  #state = VALUE
  #isName = false
  #hexLeft = 0
  #word = ''
  #number = MINUS
  #line = 1
  #values = 0
  #begun = false
  #problem: string | undefined

  constructor(form: 'document' | 'lines') {
    this.#lines = form === 'lines'
  }

  push(bytes: Uint8Array): void {
    let at = this.#begun ? 0 : utf8MarkBytes(bytes)
    this.#begun = true
    while (at < bytes.length && this.#problem === undefined) {
      const state = this.#state
      if (state === STRING) at = this.#string(bytes, at)
      else if (state === NUMBER) at = this.#digits(bytes, at)
      else {
        const byte = bytes[at++] as number
        // The most frequent bytes between values, handled without a call.
        if (byte === 0x20 && state <= AFTER_VALUE) continue
        if (byte === QUOTE && (state === NAME || state === NAME_OR_CLOSE)) {
          this.#isName = true
          this.#state = STRING
        } else if (byte === 0x3a && state === COLON) this.#state = VALUE
        else if (byte === 0x2c && state === AFTER_VALUE && this.#depth > 0) {
          this.#state = this.#isObject[this.#depth] === 1 ? NAME : VALUE
        } else this.#take(byte)
      }
    }
  }

  end({ encoding }: Pick<ReadText, 'encoding'>): TextReport {
    if (encoding === '8-bit') return malformed('it is in an 8-bit encoding, but JSON must be UTF-8')
    if (this.#problem === undefined && this.#state === NUMBER) this.#endNumber()
    const isWhole =
      this.#depth === 0 && (this.#state === AFTER_VALUE || (this.#lines && this.#state === VALUE))
    if (!isWhole) this.#fail('it is cut off')
    else if (this.#values === 0) this.#fail('it contains no value')
    if (this.#problem === undefined) {
      const isSeries = !this.#lines && this.#values > 1
      return isSeries ? { findings: [], notes: [`contains ${this.#values} JSON values`] } : NO_FINDINGS
    }
    return malformed(`line ${this.#line}: ${this.#problem}`)
  }

  #string(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length && PLAIN_IN_STRING[bytes[at] as number] === 1) at++
    if (at === bytes.length) return at
    const byte = bytes[at] as number
    if (byte === BACKSLASH) this.#state = ESCAPE
    else if (byte !== QUOTE) this.#fail('control character in a string')
    else if (this.#isName) this.#state = COLON
    else this.#endValue()
    return at + 1
  }

  #digits(bytes: Uint8Array, from: number): number {
    let at = from
    let part = this.#number
    while (at < bytes.length) {
      const next = nextPart(part, bytes[at] as number)
      if (next === -1) {
        this.#number = part
        this.#endNumber()
        return at
      }
      part = next
      at++
    }
    this.#number = part
    return at
  }

  #take(byte: number): void {
    const state = this.#state
    if (state === ESCAPE || state === HEX) this.#escape(byte)
    else if (state === WORD) this.#letter(byte)
    else if (byte === 0x09 || byte === 0x0d) return
    else if (byte === NEWLINE) this.#newline()
    else if (state === AFTER_VALUE) this.#afterValue(byte)
    else if (state === VALUE) this.#startValue(byte)
    else if (state === COLON) this.#fail('expected ":"')
    else if (state === VALUE_OR_CLOSE) {
      if (byte === 0x5d) this.#close()
      else this.#startValue(byte)
    } else if (state === NAME_OR_CLOSE && byte === 0x7d) this.#close()
    else this.#fail('expected a member name')
  }

  #afterValue(byte: number): void {
    const inObject = this.#isObject[this.#depth] === 1
    if (this.#depth === 0) {
      if (this.#lines || !STARTS_NEXT.has(byte)) this.#fail('unexpected content after the value')
      else this.#startValue(byte)
    } else if (byte === (inObject ? 0x7d : 0x5d)) this.#close()
    else this.#fail(`expected "," or "${inObject ? '}' : ']'}"`)
  }

  #startValue(byte: number): void {
    if (byte === QUOTE) {
      this.#isName = false
      this.#state = STRING
    } else if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b)
    else if (byte === 0x2d || isDigit(byte)) {
      this.#number = byte === 0x2d ? MINUS : byte === 0x30 ? ZERO : WHOLE
      this.#state = NUMBER
    } else {
      this.#word = WORDS.get(byte) ?? ''
      this.#state = WORD
      if (this.#word === '') this.#fail('expected a value')
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === MAX_DEPTH) return this.#fail(`nested deeper than ${MAX_DEPTH} levels`)
    this.#isObject[++this.#depth] = isObject ? 1 : 0
    this.#state = isObject ? NAME_OR_CLOSE : VALUE_OR_CLOSE
  }

  #close(): void {
    this.#depth--
    this.#endValue()
  }

  #letter(byte: number): void {
    if (byte !== this.#word.charCodeAt(0)) return this.#fail('expected true, false or null')
    this.#word = this.#word.slice(1)
    if (this.#word === '') this.#endValue()
  }

  #escape(byte: number): void {
    if (this.#state === HEX) {
      if (!isHex(byte)) this.#fail('invalid escape in a string')
      else if (--this.#hexLeft === 0) this.#state = STRING
    } else if (byte === 0x75) {
      this.#hexLeft = 4
      this.#state = HEX
    } else if (ESCAPES.has(byte)) this.#state = STRING
    else this.#fail('invalid escape in a string')
  }

  #newline(): void {
    if (this.#lines) {
      if (this.#depth > 0) this.#fail('the line ends inside a value')
      this.#state = VALUE
    }
    if (this.#problem === undefined) this.#line++
  }

  #endNumber(): void {
    if (this.#number < ZERO) this.#fail('incomplete number')
    else this.#endValue()
  }

  #endValue(): void {
    if (this.#depth === 0) this.#values++
    this.#state = AFTER_VALUE
  }

  #fail(problem: string): void {
    this.#problem ??= problem
  }
}

function malformed(detail: string): TextReport {
  return { findings: [{ code: 'malformed_json', detail }], notes: [] }
}

/** Only these can start another value after the first. */
const STARTS_NEXT = new Set([0x7b, 0x5b])
const WORDS = new Map([
  [0x74, 'rue'],
  [0x66, 'alse'],
  [0x6e, 'ull'],
])
const ESCAPES = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))

/** The next part, or -1 if the number ends before this byte. */
function nextPart(part: number, byte: number): number {
  if (isDigit(byte)) {
    if (part >= WHOLE) return part
    if (part === ZERO) return -1
    if (part === MINUS) return byte === 0x30 ? ZERO : WHOLE
    return part === POINT ? FRACTION : EXPONENT
  }
  const isWhole = part === ZERO || part === WHOLE
  if (byte === 0x2e && isWhole) return POINT
  if ((byte === 0x65 || byte === 0x45) && (isWhole || part === FRACTION)) return E
  return (byte === 0x2b || byte === 0x2d) && part === E ? SIGN : -1
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
