import { programIn } from '../detect/programs.ts'
import { copyOf, joined } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { Base64Part } from './base64-part.ts'
import { checkMailHeader } from './mail-header.ts'
import type { ReadText, TextCheck, TextReport } from './text-check.ts'

const MAX_LINE = 4096
const MAX_HEADER = 64 * 1024
const [NEWLINE, DASH, UPPER_C, LOWER_C] = [0x0a, 0x2d, 0x43, 0x63]
const NONE = new Uint8Array(0)

/** Checks the header of a message, and searches its base64 parts for programs and the EICAR string. */
export class MailCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  /** A line that goes on in the next bytes. */
  #carried: Uint8Array = NONE
  #isInLine = false
  #header: string | undefined = ''
  #part: Base64Part | undefined
  #program: string | undefined
  #hasEicar = false

  push(bytes: Uint8Array): void {
    const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes)
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
    this.#endPart()
    const { findings, notes } = checkMailHeader(head)
    const attached: Finding[] = []
    if (this.#hasEicar) attached.push({ code: 'test_virus', detail: 'it is in an attachment' })
    if (this.#program !== undefined) {
      attached.push({ code: 'executable_content', detail: `an attachment is ${this.#program}` })
    }
    return { findings: [...findings, ...attached], notes }
  }

  #readCarried(): void {
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
    if (line.startsWith('--')) {
      this.#endPart()
      this.#header = ''
    } else if (this.#part !== undefined) this.#part.push(bytes.subarray(from, to))
    else if (this.#header === undefined) {
      // An embedded message starts without a boundary line.
      if (/^content-transfer-encoding:/i.test(line)) this.#header = `\n${line}`
    } else if (line.trim() !== '') {
      if (this.#header.length < MAX_HEADER) this.#header += /^[ \t]/.test(line) ? line : `\n${line}`
    } else {
      if (/\ncontent-transfer-encoding:\s*base64/i.test(this.#header.replaceAll('\r', ''))) {
        this.#part = new Base64Part()
        this.#isInLine = false
      }
      this.#header = undefined
    }
  }

  #endPart(): void {
    if (this.#part === undefined) return
    const { head, hasEicar } = this.#part.end()
    this.#program ??= programIn(head)
    this.#hasEicar ||= hasEicar
    this.#part = undefined
  }
}
