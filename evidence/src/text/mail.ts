import { programIn } from '../detect/programs.ts'
import { copyOf, joined } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { Base64Part } from './base64-part.ts'
import { type EncodedPart, partBoundary, partEncoding, partName } from './encoded-part.ts'
import { checkMailHeader } from './mail-header.ts'
import type { ReadText, TextCheck, TextReport } from './text-check.ts'

const MAX_LINE = 4096
const MAX_HEADER = 64 * 1024
const MAX_PARTS = 1000
const MAX_BOUNDARIES = 100
const [NEWLINE, DASH, UPPER_C, LOWER_C] = [0x0a, 0x2d, 0x43, 0x63]
const NONE = new Uint8Array(0)

/** Checks the header of a message, and searches its base64 parts for programs and the EICAR string. */
export class MailCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  /** A line that goes on in the next bytes. */
  #carried: Uint8Array = NONE
  #isInLine = false
  #header: string | undefined = ''
  readonly #boundaries: string[] = []
  readonly #parts: EncodedPart[] = []
  /** The encoded part that is being read. */
  #open: Omit<EncodedPart, 'to' | 'sizeBytes'> | undefined
  #readBytes = 0
  /** The offset of the bytes that are being read. */
  #offset = 0
  #part: Base64Part | undefined
  #program: string | undefined
  #hasEicar = false

  push(bytes: Uint8Array): void {
    const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes)
    this.#offset = this.#readBytes - this.#carried.length
    this.#readBytes += bytes.length
    let at = 0
    for (let from = -1; at < all.length && at !== from;) {
      from = at
      at = this.#part === undefined ? this.#readLine(all, at) : this.#readPart(all, at, this.#part)
    }
    this.#carried = at === all.length ? NONE : copyOf(all.subarray(at))
    // An overlong line is read in parts.
    if (this.#carried.length > MAX_LINE) this.#readCarried()
  }

  end({ head }: Pick<ReadText, 'head'>): TextReport {
    this.#readCarried()
    this.#endPart(this.#readBytes)
    const { findings, notes } = checkMailHeader(head)
    const attached: Finding[] = []
    if (this.#hasEicar) attached.push({ code: 'test_virus', detail: 'it is in an attachment' })
    if (this.#program !== undefined) {
      attached.push({ code: 'executable_content', detail: `an attachment is ${this.#program}` })
    }
    if (this.#parts.length === MAX_PARTS)
      attached.push({ code: 'partly_examined', detail: `it has more than ${MAX_PARTS} attachments` })
    return { findings: [...findings, ...attached], notes, parts: this.#parts }
  }

  #readCarried(): void {
    this.#offset = this.#readBytes - this.#carried.length
    this.#read(this.#carried, 0, this.#carried.length)
    this.#carried = NONE
  }

  /** Returns the start of the next line, or `at` if the line is not complete. */
  #readLine(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(NEWLINE, at)
    if (end === -1) return at
    const first = bytes[at]
    const isOfInterest =
      this.#header !== undefined || first === DASH || first === UPPER_C || first === LOWER_C
    if (isOfInterest) this.#read(bytes, at, end)
    return end + 1
  }

  /** Reads up to the next line that starts with `--`, or that line. */
  #readPart(bytes: Uint8Array, at: number, part: Base64Part): number {
    const end = this.#boundaryFrom(bytes, at)
    if (end === at) return end + 1 < bytes.length ? this.#readLine(bytes, at) : at
    part.push(bytes.subarray(at, end))
    this.#isInLine = bytes[end - 1] !== NEWLINE
    return end
  }

  #boundaryFrom(bytes: Uint8Array, from: number): number {
    for (let at = bytes.indexOf(DASH, from); at !== -1; at = bytes.indexOf(DASH, at + 1)) {
      const startsLine = at === from ? !this.#isInLine : bytes[at - 1] === NEWLINE
      if (startsLine && (at + 1 === bytes.length || bytes[at + 1] === DASH)) return at
    }
    return bytes.length
  }

  #read(bytes: Uint8Array, from: number, to: number): void {
    const line = this.#decoder.decode(bytes.subarray(from, Math.min(to, from + MAX_HEADER)))
    if (this.#isBoundary(line)) {
      this.#endPart(this.#offset + from)
      this.#header = ''
    } else if (this.#part !== undefined) this.#part.push(bytes.subarray(from, to))
    else if (this.#header === undefined) {
      // An embedded message starts without a boundary line.
      if (this.#open === undefined && /^content-transfer-encoding:/i.test(line)) this.#header = `\n${line}`
    } else if (line.trim() !== '') {
      if (this.#header.length < MAX_HEADER) this.#header += /^[ \t]/.test(line) ? line : `\n${line}`
    } else {
      this.#endHeader(this.#header, this.#offset + to + 1)
      this.#header = undefined
    }
  }

  /** If no boundary is known, any line with two dashes may be one. */
  #isBoundary(line: string): boolean {
    if (!line.startsWith('--')) return false
    return this.#boundaries.length === 0 || this.#boundaries.some((boundary) => line.startsWith(boundary, 2))
  }

  #endHeader(header: string, from: number): void {
    const boundary = partBoundary(header)
    if (boundary !== undefined && this.#boundaries.length < MAX_BOUNDARIES) this.#boundaries.push(boundary)
    const encoding = partEncoding(header)
    if (encoding === undefined) return
    this.#open = { name: partName(header) ?? `part ${this.#parts.length + 1}`, encoding, from }
    if (encoding !== 'base64') return
    this.#part = new Base64Part()
    this.#isInLine = false
  }

  #endPart(to: number): void {
    if (this.#open !== undefined && this.#parts.length < MAX_PARTS && to > this.#open.from)
      this.#parts.push({ ...this.#open, to, sizeBytes: this.#part?.sizeBytes })
    this.#open = undefined
    if (this.#part === undefined) return
    const { head, hasEicar } = this.#part.end()
    this.#program ??= programIn(head)
    this.#hasEicar ||= hasEicar
    this.#part = undefined
  }
}
