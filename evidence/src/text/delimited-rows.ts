import { utf8MarkBytes } from '../detect/text-encoding.ts'
import { NO_FINDINGS, type TextCheck, type TextReport } from './text-check.ts'

const [QUOTE, NEWLINE, RETURN, TAB] = [0x22, 0x0a, 0x0d, 0x09]
const SEPARATORS = [0x2c, 0x3b, TAB, 0x7c]

/**
 * Checks CSV (RFC 4180, with the separators that spreadsheets use) or TSV. Rows of different lengths are common in real
 * exports and only noted; an unclosed quoted field means that the file is cut off.
 */
export class DelimitedRows implements TextCheck {
  readonly readsUtf8 = true
  readonly #quotes: boolean
  #separator: number | undefined
  #plain: Uint8Array | undefined
  #inQuotes = false
  #justClosed = false
  #justReturned = false
  #atFieldStart = true
  #line = 1
  #quotedSince = 0
  #fields = 1
  #hasContent = false
  #minFields = Infinity
  #maxFields = 0
  #rows = 0

  constructor(ending: 'csv' | 'tsv') {
    this.#quotes = ending === 'csv'
    if (ending === 'tsv') this.#separator = TAB
  }

  push(bytes: Uint8Array): void {
    const start = this.#plain === undefined ? utf8MarkBytes(bytes) : 0
    this.#separator ??= likeliestSeparator(bytes)
    const separator = this.#separator
    const plain = (this.#plain ??= plainBytes(separator))
    for (let at = start; at < bytes.length; at++) {
      if (this.#inQuotes) {
        at = this.#quoted(bytes, at)
        continue
      }
      const byte = bytes[at] as number
      // A line ends with LF, CR or CRLF.
      const isSecondHalf = byte === NEWLINE && this.#justReturned
      this.#justReturned = byte === RETURN
      if (isSecondHalf) continue
      if (byte === QUOTE && this.#quotes && (this.#atFieldStart || this.#justClosed)) {
        // The start of a quoted field, or the second half of a doubled quote.
        if (this.#atFieldStart) this.#quotedSince = this.#line
        this.#inQuotes = true
        this.#atFieldStart = false
        this.#hasContent = true
      } else if (byte === NEWLINE || byte === RETURN) this.#endRow()
      else if (byte === separator) {
        this.#fields++
        this.#atFieldStart = true
        this.#hasContent = true
      } else {
        this.#atFieldStart = false
        this.#hasContent = true
        at = endOfPlain(bytes, at, plain)
      }
      this.#justClosed = false
    }
  }

  /** Skips to the closing quote, or to the end of the chunk. */
  #quoted(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === NEWLINE) this.#line++
      if (byte !== QUOTE) continue
      this.#inQuotes = false
      this.#justClosed = true
      return at
    }
    return bytes.length
  }

  end(): TextReport {
    if (this.#inQuotes) {
      const detail = `the quoted field that starts in line ${this.#quotedSince} is not closed`
      return { findings: [{ code: 'malformed_csv', detail }], notes: [] }
    }
    this.#endRow()
    if (this.#rows === 0 || this.#minFields === this.#maxFields) return NO_FINDINGS
    return { findings: [], notes: [`rows have ${this.#minFields} to ${this.#maxFields} fields`] }
  }

  #endRow(): void {
    if (this.#hasContent) {
      this.#rows++
      this.#minFields = Math.min(this.#minFields, this.#fields)
      this.#maxFields = Math.max(this.#maxFields, this.#fields)
    }
    this.#line++
    this.#fields = 1
    this.#atFieldStart = true
    this.#hasContent = false
  }
}

/** 1 for each byte that is neither a separator, a quote nor a line break. */
function plainBytes(separator: number): Uint8Array {
  const special = new Set([separator, NEWLINE, QUOTE, RETURN])
  return Uint8Array.from({ length: 256 }, (_, byte) => (special.has(byte) ? 0 : 1))
}

/** The last of a run of plain bytes. */
function endOfPlain(bytes: Uint8Array, from: number, plain: Uint8Array): number {
  let at = from + 1
  while (at < bytes.length && plain[bytes[at] as number] === 1) at++
  return at - 1
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
