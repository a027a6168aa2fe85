import { utf8MarkBytes } from '../detect/text-encoding.ts'
import { type PairTable, pairsIn, pairTable } from '../detect/word-scan.ts'
import type { Finding } from '../rules.ts'
import { FormulaFinder } from './formulas.ts'
import type { TextCheck, TextReport } from './text-check.ts'

const [QUOTE, NEWLINE, RETURN, TAB, OPEN, BAR] = [0x22, 0x0a, 0x0d, 0x09, 0x28, 0x7c]
const SEPARATORS = [0x2c, 0x3b, TAB, BAR]

// Where the reader is. Never zero.
const ROW_START = 1
const AFTER_RETURN = 2
const FIELD_START = 3
const IN_FIELD = 4
const IN_QUOTES = 5
const AFTER_QUOTE = 6

// Classes of bytes.
const [OTHER, SEPARATOR, QUOTE_MARK, LINE_FEED, CARRIAGE_RETURN, CALLS] = [0, 1, 2, 3, 4, 5]

/**
 * Checks CSV (RFC 4180, with the separators that spreadsheets use) or TSV. Rows of different lengths are common in real
 * exports and only noted; an unclosed quoted field means that the file is cut off.
 */
export class DelimitedRows implements TextCheck {
  readonly readsUtf8 = true
  readonly #quotes: boolean
  #separator: number | undefined
  #classes: PairTable | undefined
  #state = ROW_START
  #line = 1
  #fields = 1
  /** The last field with a line break in quotes, and the line that it starts in. */
  #brokenField = 0
  #brokenSince = 0
  #minFields = Infinity
  #maxFields = 0
  #rows = 0
  readonly #formulas = new FormulaFinder()

  constructor(ending: 'csv' | 'tsv') {
    this.#quotes = ending === 'csv'
    if (ending === 'tsv') this.#separator = TAB
  }

  push(bytes: Uint8Array): void {
    const isFirst = this.#classes === undefined
    this.#separator ??= likeliestSeparator(bytes)
    const classes = (this.#classes ??= classesOf(this.#separator, this.#quotes))
    const { pairs, odd } = pairsIn(bytes)
    let [state, fields] = [this.#state, this.#fields]
    for (let at = isFirst ? utf8MarkBytes(bytes) : 0; at < bytes.length; at++) {
      if ((at & 1) === odd) {
        let index = (at - odd) >> 1
        for (; index < pairs.length; index++) {
          const next = PAIRS[(state << 6) | (classes[pairs[index] as number] as number)] as number
          if (next === 0) break
          fields += next >> 4
          state = next & 15
        }
        at = odd + index * 2
        if (at >= bytes.length) break
      }
      const byteClass = (classes[bytes[at] as number] as number) & 7
      const next = nextState(state, byteClass)
      if (byteClass === CALLS) this.#formulas.lookAt(bytes, at)
      else if (byteClass === SEPARATOR && next === FIELD_START) fields++
      else if (byteClass === LINE_FEED || byteClass === CARRIAGE_RETURN) {
        this.#fields = fields
        this.#lineBreak(state, byteClass)
        fields = this.#fields
      }
      state = next
    }
    this.#state = state
    this.#fields = fields
    // In a table with bars between its fields, one may also be part of a formula.
    if (this.#separator === BAR)
      for (let at = bytes.indexOf(BAR); at !== -1; at = bytes.indexOf(BAR, at + 1))
        this.#formulas.lookAt(bytes, at)
    this.#formulas.endChunk(bytes)
  }

  end(): TextReport {
    const findings: Finding[] = this.#formulas.found
      ? [{ code: 'active_content', detail: 'a formula calls another program or address' }]
      : []
    if (this.#state === IN_QUOTES) {
      const line = this.#brokenField === this.#fields ? this.#brokenSince : this.#line
      const detail = `the quoted field that starts in line ${line} is not closed`
      return { findings: [...findings, { code: 'malformed_csv', detail }], notes: [] }
    }
    this.#endRow(this.#state)
    if (this.#rows === 0 || this.#minFields === this.#maxFields) return { findings, notes: [] }
    return { findings, notes: [`rows have ${this.#minFields} to ${this.#maxFields} fields`] }
  }

  #lineBreak(state: number, byteClass: number): void {
    if (state !== IN_QUOTES) {
      // A line ends with LF, CR or CRLF.
      if (state !== AFTER_RETURN || byteClass !== LINE_FEED) this.#endRow(state)
    } else if (byteClass === LINE_FEED) {
      if (this.#brokenField !== this.#fields) this.#brokenSince = this.#line
      this.#brokenField = this.#fields
      this.#line++
    }
  }

  #endRow(state: number): void {
    if (state !== ROW_START && state !== AFTER_RETURN) {
      this.#rows++
      this.#minFields = Math.min(this.#minFields, this.#fields)
      this.#maxFields = Math.max(this.#maxFields, this.#fields)
    }
    this.#line++
    this.#fields = 1
    this.#brokenField = 0
  }
}

function nextState(state: number, byteClass: number): number {
  if (state === IN_QUOTES) return byteClass === QUOTE_MARK ? AFTER_QUOTE : IN_QUOTES
  if (byteClass === LINE_FEED) return ROW_START
  if (byteClass === CARRIAGE_RETURN) return AFTER_RETURN
  if (byteClass === SEPARATOR) return FIELD_START
  // A quote starts a field in quotes, or is the second half of a doubled one.
  return byteClass === QUOTE_MARK && state !== IN_FIELD ? IN_QUOTES : IN_FIELD
}

/** The state after two bytes and, from bit 4 on, how many fields start in them; zero if there is a line break. */
const PAIRS = Uint8Array.from({ length: 8 << 6 }, (_, at) => {
  const [state, first, second] = [at >> 6, at & 7, (at >> 3) & 7]
  if (state === 0 || first >= LINE_FEED || second >= LINE_FEED) return 0
  const middle = nextState(state, first)
  const last = nextState(middle, second)
  return last | ((Number(middle === FIELD_START) + Number(last === FIELD_START)) << 4)
})

const CLASSES = new Map<string, PairTable>()

function classesOf(separator: number, quotes: boolean): PairTable {
  const key = `${separator} ${quotes}`
  const made = CLASSES.get(key)
  if (made !== undefined) return made
  const classOf = (byte: number): number => {
    if (byte === separator) return SEPARATOR
    if (byte === NEWLINE) return LINE_FEED
    if (byte === RETURN) return CARRIAGE_RETURN
    if (byte === OPEN || byte === BAR) return CALLS
    return byte === QUOTE && quotes ? QUOTE_MARK : OTHER
  }
  const table = pairTable((first, second) => classOf(first) | (classOf(second) << 3))
  CLASSES.set(key, table)
  return table
}

/** The separator that is most frequent in the first line. */
function likeliestSeparator(bytes: Uint8Array): number {
  const counts = SEPARATORS.map((separator) => ({ separator, count: 0 }))
  for (const byte of bytes) {
    if (byte === NEWLINE || byte === RETURN) break
    const row = counts.find(({ separator }) => separator === byte)
    if (row !== undefined) row.count++
  }
  return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? 0x2c
}
