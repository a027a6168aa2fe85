import { NOTHING_FOUND, type TextCheck, type TextReport } from './text-check.ts'

const MAX_DEPTH = 1000
const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a]
const ESCAPES = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))

type State =
  | 'value'
  | 'value or ]'
  | 'name'
  | 'name or }'
  | ':'
  | ', or end'
  | 'string'
  | 'escape'
  | 'hex'
  | 'word'
  | 'number'

type NumberPart = '-' | '0' | 'whole' | '.' | 'fraction' | 'e' | 'sign' | 'exponent'

/**
 * Whether bytes are JSON (RFC 8259), or lines of JSON, at any length. Evidence is kept as it came, so it may hold
 * fractions, large numbers and duplicate names, which the documents of a kit may not: only the grammar counts here.
 */
export class JsonSyntax implements TextCheck {
  readonly #lines: boolean
  readonly #isObject = new Uint8Array(MAX_DEPTH + 1)
  #depth = 0
  #state: State = 'value'
  #isName = false
  #hexLeft = 0
  #word = ''
  #number: NumberPart = '-'
  #line = 1
  #values = 0
  #at = 0
  #problem: string | undefined

  constructor(lines: boolean) {
    this.#lines = lines
  }

  push(bytes: Uint8Array): void {
    let at = this.#at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    this.#at += bytes.length
    while (at < bytes.length && this.#problem === undefined) {
      if (this.#state === 'string') at = this.#inString(bytes, at)
      else if (this.#take(bytes[at] as number)) at++
    }
  }

  end(): TextReport {
    if (this.#state === 'number') this.#endNumber()
    if (this.#problem === undefined) {
      const whole =
        this.#depth === 0 && (this.#state === ', or end' || (this.#lines && this.#state === 'value'))
      if (!whole) this.#problem = 'it breaks off'
      else if (this.#values === 0) this.#problem = 'it holds no value'
    }
    if (this.#problem === undefined) return NOTHING_FOUND
    return { findings: [{ code: 'malformed_json', seen: `line ${this.#line}: ${this.#problem}` }], notes: [] }
  }

  #inString(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === QUOTE) {
        if (this.#isName) this.#state = ':'
        else this.#endValue()
        return at + 1
      }
      if (byte === BACKSLASH) {
        this.#state = 'escape'
        return at + 1
      }
      if (byte < 0x20) return this.#fail('a control character in a string', at)
    }
    return bytes.length
  }

  /** False where the byte has still to be taken, in the state that it led to. */
  #take(byte: number): boolean {
    if (this.#state === 'number') return this.#inNumber(byte)
    if (this.#state === 'escape') return this.#inEscape(byte)
    if (this.#state === 'hex') {
      if (!isHex(byte)) this.#fail('a bad escape in a string')
      else if (--this.#hexLeft === 0) this.#state = 'string'
      return true
    }
    if (this.#state === 'word') {
      if (byte !== this.#word.charCodeAt(0)) this.#fail('a word that is not true, false or null')
      this.#word = this.#word.slice(1)
      if (this.#word === '') this.#endValue()
      return true
    }
    if (byte === NEWLINE) return this.#newline()
    if (byte === 0x20 || byte === 0x09 || byte === 0x0d) return true
    this.#structure(byte)
    return true
  }

  #structure(byte: number): void {
    const state = this.#state
    if (state === 'value' || state === 'value or ]') {
      if (state === 'value or ]' && byte === 0x5d) this.#close()
      else this.#startValue(byte)
    } else if (state === 'name' || state === 'name or }') {
      if (byte === QUOTE) {
        this.#isName = true
        this.#state = 'string'
      } else if (state === 'name or }' && byte === 0x7d) this.#close()
      else this.#fail('a member name was expected')
    } else if (state === ':') {
      if (byte === 0x3a) this.#state = 'value'
      else this.#fail('":" was expected')
    } else this.#afterValue(byte)
  }

  #afterValue(byte: number): void {
    const inObject = this.#isObject[this.#depth] === 1
    if (this.#depth === 0) this.#fail('something follows the value')
    else if (byte === 0x2c) this.#state = inObject ? 'name' : 'value'
    else if (byte === (inObject ? 0x7d : 0x5d)) this.#close()
    else this.#fail(`"," or "${inObject ? '}' : ']'}" was expected`)
  }

  #startValue(byte: number): void {
    if (byte === 0x7b || byte === 0x5b) {
      if (this.#depth === MAX_DEPTH) return void this.#fail(`it is nested deeper than ${MAX_DEPTH}`)
      this.#isObject[++this.#depth] = byte === 0x7b ? 1 : 0
      this.#state = byte === 0x7b ? 'name or }' : 'value or ]'
    } else if (byte === QUOTE) {
      this.#isName = false
      this.#state = 'string'
    } else if (byte === 0x74) this.#startWord('rue')
    else if (byte === 0x66) this.#startWord('alse')
    else if (byte === 0x6e) this.#startWord('ull')
    else if (byte === 0x2d || isDigit(byte)) {
      this.#number = byte === 0x2d ? '-' : byte === 0x30 ? '0' : 'whole'
      this.#state = 'number'
    } else this.#fail('a value was expected')
  }

  #startWord(rest: string): void {
    this.#word = rest
    this.#state = 'word'
  }

  #inEscape(byte: number): boolean {
    if (byte === 0x75) {
      this.#hexLeft = 4
      this.#state = 'hex'
    } else if (ESCAPES.has(byte)) this.#state = 'string'
    else this.#fail('a bad escape in a string')
    return true
  }

  #inNumber(byte: number): boolean {
    const next = nextPart(this.#number, byte)
    if (next !== undefined) {
      this.#number = next
      return true
    }
    this.#endNumber()
    return false
  }

  #endNumber(): void {
    if (['-', '.', 'e', 'sign'].includes(this.#number)) this.#fail('a number breaks off')
    else this.#endValue()
  }

  #endValue(): void {
    if (this.#depth === 0) this.#values++
    this.#state = ', or end'
  }

  #close(): void {
    this.#depth--
    this.#endValue()
  }

  #newline(): boolean {
    if (this.#lines) {
      if (this.#depth > 0) this.#fail('the line ends within a value')
      else this.#state = 'value'
    }
    this.#line++
    return true
  }

  #fail(problem: string, at = 0): number {
    this.#problem ??= problem
    return at
  }
}

function nextPart(part: NumberPart, byte: number): NumberPart | undefined {
  if (isDigit(byte)) {
    if (part === '-') return byte === 0x30 ? '0' : 'whole'
    if (part === '0') return undefined
    if (part === '.') return 'fraction'
    if (part === 'e' || part === 'sign') return 'exponent'
    return part
  }
  const whole = part === '0' || part === 'whole'
  if (byte === 0x2e && whole) return '.'
  if ((byte === 0x65 || byte === 0x45) && (whole || part === 'fraction')) return 'e'
  return (byte === 0x2b || byte === 0x2d) && part === 'e' ? 'sign' : undefined
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
