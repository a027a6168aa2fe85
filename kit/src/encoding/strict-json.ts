import { fromUtf8 } from './bytes.ts'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

export type JsonObject = { readonly [name: string]: JsonValue }

/** Why a text is not strict JSON, and where. */
export class StrictJsonError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} (at character ${offset})`)
    this.name = 'StrictJsonError'
    this.offset = offset
  }
}

const MAX_JSON_DEPTH = 64

/**
 * Parses I-JSON (RFC 7493). Throws a StrictJsonError for anything that programs read differently: duplicate member
 * names, unpaired surrogates, numbers that are not safe integers, deep nesting, a byte order mark, bytes that are
 * not UTF-8. Objects inherit nothing, so `__proto__` is an ordinary member.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseStrictJson } from '@kitseal/kit'
 *
 * assert.deepEqual(parseStrictJson('[1, "two"]'), [1, 'two'])
 * assert.throws(() => parseStrictJson('{"a": 1, "a": 2}'), /duplicate/)
 * ```
 */
export function parseStrictJson(input: Uint8Array | string): JsonValue {
  const text = typeof input === 'string' ? input : fromUtf8(input)
  if (text === undefined) throw new StrictJsonError('not UTF-8', 0)
  if (text.charCodeAt(0) === 0xfeff) throw new StrictJsonError('unexpected byte order mark', 0)
  if (typeof input === 'string' && !text.isWellFormed()) throw new StrictJsonError('unpaired surrogate', 0)
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** Whether a JSON value is an object, not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const NUMBER = /-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/y
const HEX4 = /^[0-9a-fA-F]{4}$/
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** An object that inherits nothing. Engines handle it as any other, but those of Object.create(null) as hash tables. */
const Members = function () {} as unknown as new () => Record<string, JsonValue>
Members.prototype = Object.create(null)

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): JsonValue {
    if (depth > MAX_JSON_DEPTH) throw this.#error(`nested deeper than ${MAX_JSON_DEPTH} levels`)
    this.#space()
    const start = this.#text[this.#at]
    if (start === '{') return this.#object(depth)
    if (start === '[') return this.#array(depth)
    if (start === '"') return this.#string()
    if (start === 't') return this.#word('true', true)
    if (start === 'f') return this.#word('false', false)
    if (start === 'n') return this.#word('null', null)
    return this.#number()
  }

  end(): void {
    this.#space()
    if (this.#at < this.#text.length) throw this.#error('unexpected text after the value')
  }

  #object(depth: number): JsonObject {
    const object = new Members()
    this.#at++
    if (this.#closes('}')) return object
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') throw this.#error('expected a member name')
      const nameAt = this.#at
      const name = this.#string()
      if (name in object) throw new StrictJsonError(`duplicate member ${JSON.stringify(name)}`, nameAt)
      this.#space()
      if (this.#text[this.#at++] !== ':') throw this.#error('expected ":"')
      object[name] = this.value(depth + 1)
    } while (this.#continues('}'))
    return object
  }

  #array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = []
    this.#at++
    if (this.#closes(']')) return items
    do items.push(this.value(depth + 1))
    while (this.#continues(']'))
    return items
  }

  #string(): string {
    const start = ++this.#at
    let text = ''
    let copied = start
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (Number.isNaN(code)) throw this.#error('unterminated string')
      if (code < 0x20) throw this.#error('control character in a string')
      if (code === 0x22) break
      if (code !== 0x5c) {
        this.#at++
        continue
      }
      text += this.#text.slice(copied, this.#at) + this.#escape()
      copied = this.#at
    }
    const raw = this.#text.slice(copied, this.#at++)
    if (copied === start) return raw
    text += raw
    if (!text.isWellFormed()) throw new StrictJsonError('unpaired surrogate', start)
    return text
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? ''
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!HEX4.test(digits)) throw this.#error('invalid \\u escape')
      this.#at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const character = ESCAPES[letter]
    if (character === undefined) throw this.#error('invalid escape')
    this.#at += 2
    return character
  }

  #number(): number {
    NUMBER.lastIndex = this.#at
    const match = NUMBER.exec(this.#text)
    if (match === null) throw this.#error('expected a value')
    const [literal, whole = '', fraction = '', exponent = '0'] = match
    const value = Number(literal)
    if (
      !Number.isSafeInteger(value) ||
      !isExactInteger(whole + fraction, Number(exponent) - fraction.length)
    ) {
      throw this.#error(`${literal.slice(0, 40)} is not a safe integer`)
    }
    this.#at += literal.length
    return value === 0 ? 0 : value
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#error('expected a value')
    this.#at += word.length
    return value
  }

  #closes(bracket: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== bracket) return false
    this.#at++
    return true
  }

  #continues(bracket: string): boolean {
    if (this.#closes(bracket)) return false
    if (this.#text[this.#at++] !== ',') throw this.#error(`expected "," or "${bracket}"`)
    return true
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }

  #error(message: string): StrictJsonError {
    return new StrictJsonError(message, this.#at)
  }
}

/** Whether digits × 10^exponent is an integer. Decided on the digits, because 0.99999999999999999999 rounds to 1. */
function isExactInteger(digits: string, exponent: number): boolean {
  let significant = digits.length
  // Not a regular expression: backtracking over a million zeros takes quadratic time.
  while (significant > 0 && digits[significant - 1] === '0') significant--
  return significant === 0 || digits.length - significant + exponent >= 0
}
