import { copyOf, joined } from '../platform/sources.ts'
import { flowEnd } from './yaml-flow.ts'

const [SPACE, NEWLINE, RETURN, HASH, COLON, DASH, DOT] = [0x20, 0x0a, 0x0d, 0x23, 0x3a, 0x2d, 0x2e]
const [QUOTE, APOSTROPHE, BACKSLASH, BAR, GREATER, PLUS] = [0x22, 0x27, 0x5c, 0x7c, 0x3e, 0x2b]
const [OPEN_LIST, OPEN_MAP] = [0x5b, 0x7b]

const NOT_PLAIN = -1
const MAX_LINE = 64 * 1024
const MAX_KEY = 1000
const MAX_NESTING = 100
const [LIST, MAP] = [1, 2]
const NONE = new Uint8Array(0)

const tableOf = (test: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (test(byte) ? 1 : 0))
/** Bytes that a scalar without quotes can start with. */
const STARTS_PLAIN = tableOf(
  (byte) => byte > SPACE && byte !== 0xef && !'-?:,[]{}#&*!|>\'"%@`'.includes(String.fromCharCode(byte)),
)
/** Bytes that need no other look in such a scalar. 0xef starts a byte order mark. */
const IN_PLAIN = tableOf((byte) => byte >= SPACE && byte !== COLON && byte !== HASH && byte !== 0xef)
const IN_QUOTES = tableOf((byte) => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH && byte !== 0xef)
const IN_APOSTROPHES = tableOf((byte) => byte >= SPACE && byte !== APOSTROPHE && byte !== 0xef)
const ESCAPES = tableOf((byte) => '"\\/0abtnvfre'.includes(String.fromCharCode(byte)))

/**
 * Recognizes YAML that is certainly well-formed: block mappings and lists of scalars on one line, simple flow collections,
 * block scalars and comments. Anything else is not plain.
 */
export class YamlSkimmer {
  isPlain = true
  #carried: Uint8Array = NONE
  #isFirst = true
  /** The open collections: their columns and kinds. */
  readonly #columns = new Int32Array(MAX_NESTING)
  readonly #kinds = new Uint8Array(MAX_NESTING)
  #depth = 0
  /** Whether the last key or dash has no value yet. */
  #isOpen = true
  /** A block scalar belongs to the collection in this column, and is indented by this much; -1 if not known. */
  #scalarOf = -1
  #scalarIndent = -1

  push(bytes: Uint8Array): void {
    if (!this.isPlain) return
    const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes)
    const isMarked = this.#isFirst && all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf
    this.#isFirst = false
    let at = isMarked ? 3 : 0
    for (;;) {
      const end = all.indexOf(NEWLINE, at)
      if (end === -1) break
      if (!this.#line(all, at, all[end - 1] === RETURN && end > at ? end - 1 : end)) {
        this.isPlain = false
        this.#carried = NONE
        return
      }
      at = end + 1
    }
    this.#carried = at === all.length ? NONE : copyOf(all.subarray(at))
    if (this.#carried.length > MAX_LINE) this.isPlain = false
  }

  end(): boolean {
    if (this.#carried.length > 0) this.push(Uint8Array.of(NEWLINE))
    return this.isPlain
  }

  /** Reads a line without its line break. */
  #line(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from
    while (at < to && bytes[at] === SPACE) at++
    const indent = at - from
    if (this.#scalarOf !== -1) {
      if (at === to) return this.#scalarIndent !== -1 || indent === 0
      if (indent > this.#scalarOf) {
        if (this.#scalarIndent === -1) this.#scalarIndent = indent
        return indent >= this.#scalarIndent
      }
      this.#scalarOf = -1
    }
    if (at === to || bytes[at] === HASH) return true
    const next = bytes[at + 1]
    if (indent === 0 && next === bytes[at] && (next === DASH || next === DOT) && bytes[at + 2] === next) {
      return next === DASH && this.#startDocument(bytes, at + 3, to)
    }
    return this.#nodes(bytes, at, to, from)
  }

  #startDocument(bytes: Uint8Array, at: number, to: number): boolean {
    this.#depth = 0
    this.#isOpen = true
    return isEnd(bytes, at, to)
  }

  /** The dashes, the key and the value of a line. */
  #nodes(bytes: Uint8Array, from: number, to: number, lineAt: number): boolean {
    let at = from
    while (bytes[at] === DASH && (at + 1 === to || bytes[at + 1] === SPACE)) {
      const column = at - lineAt
      if (!(at === from ? this.#place(column, LIST) : this.#nest(column, LIST))) return false
      at++
      while (at < to && bytes[at] === SPACE) at++
      this.#isOpen = true
      if (at === to || bytes[at] === HASH) return true
    }
    const keyEnd = scalarEnd(bytes, at, to)
    if (keyEnd === NOT_PLAIN || !isKey(bytes, keyEnd, to)) {
      // A value on a line of its own is not plain.
      return at > from && this.#value(bytes, at, to, this.#top)
    }
    const column = at - lineAt
    if (keyEnd - at > MAX_KEY) return false
    if (!(at === from ? this.#place(column, MAP) : this.#nest(column, MAP))) return false
    at = keyEnd + 1
    while (at < to && bytes[at] === SPACE) at++
    this.#isOpen = true
    return at === to || bytes[at] === HASH || this.#value(bytes, at, to, column)
  }

  get #top(): number {
    return this.#columns[this.#depth - 1] ?? 0
  }

  /** Finds the collection that the first item of a line belongs to. */
  #place(column: number, kind: number): boolean {
    const top = this.#depth - 1
    if (this.#isOpen) {
      if (top === -1 || column > (this.#columns[top] as number)) return this.#nest(column, kind)
      // A list may be in the column of its key.
      if (column === this.#columns[top] && this.#kinds[top] === MAP && kind === LIST)
        return this.#nest(column, kind)
    } else if (top === -1) return false
    let index = top
    while (index >= 0 && (this.#columns[index] as number) > column) index--
    if (index > 0 && kind === MAP && this.#kinds[index] === LIST && this.#columns[index - 1] === column)
      index--
    if (index < 0 || this.#columns[index] !== column || this.#kinds[index] !== kind) return false
    this.#depth = index + 1
    return true
  }

  #nest(column: number, kind: number): boolean {
    if (this.#depth === MAX_NESTING) return false
    this.#columns[this.#depth] = column
    this.#kinds[this.#depth++] = kind
    return true
  }

  /** A value that goes to the end of its line, or a block scalar that starts there. */
  #value(bytes: Uint8Array, at: number, to: number, column: number): boolean {
    this.#isOpen = false
    const byte = bytes[at]
    if (byte === BAR || byte === GREATER) {
      const sign = bytes[at + 1]
      this.#scalarOf = column
      this.#scalarIndent = -1
      return isEnd(bytes, at + (sign === DASH || sign === PLUS ? 2 : 1), to)
    }
    const end = byte === OPEN_LIST || byte === OPEN_MAP ? flowEnd(bytes, at, to) : scalarEnd(bytes, at, to)
    return end !== NOT_PLAIN && isEnd(bytes, end, to)
  }
}

/** Whether there are only blanks, or a comment after a blank. */
function isEnd(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from
  while (at < to && bytes[at] === SPACE) at++
  return at >= to || (bytes[at] === HASH && at > from)
}

/** Whether the colon of a key is here. */
function isKey(bytes: Uint8Array, at: number, to: number): boolean {
  return at < to && bytes[at] === COLON && (at + 1 === to || bytes[at + 1] === SPACE)
}

/** Where a scalar ends: after its quotes, or at a colon, a comment, or the end of the line. */
function scalarEnd(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from] as number
  if (first === QUOTE) return quotedEnd(bytes, from + 1, to)
  if (first === APOSTROPHE) return apostropheEnd(bytes, from + 1, to)
  const startsWithDash = first === DASH && from + 1 < to && STARTS_PLAIN[bytes[from + 1] as number] === 1
  if (STARTS_PLAIN[first] !== 1 && !startsWithDash) return NOT_PLAIN
  let at = from + 1
  while (at < to) {
    const byte = bytes[at] as number
    if (IN_PLAIN[byte] !== 1) {
      if (byte === COLON ? isKey(bytes, at, to) : byte === HASH && bytes[at - 1] === SPACE) {
        return byte === HASH ? at - 1 : at
      }
      if (byte !== COLON && byte !== HASH) return NOT_PLAIN
    }
    at++
  }
  return at
}

function quotedEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (IN_QUOTES[byte] === 1) continue
    if (byte === QUOTE) return at + 1
    if (byte !== BACKSLASH || at + 1 >= to || ESCAPES[bytes[at + 1] as number] !== 1) return NOT_PLAIN
    at++
  }
  return NOT_PLAIN
}

/** An apostrophe is doubled. */
function apostropheEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (IN_APOSTROPHES[byte] === 1) continue
    if (byte !== APOSTROPHE) return NOT_PLAIN
    if (bytes[at + 1] !== APOSTROPHE || at + 1 >= to) return at + 1
    at++
  }
  return NOT_PLAIN
}
