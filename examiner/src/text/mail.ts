import { copyOf, joined } from '../platform/sources.ts'
import { FILE_PARTS } from '../limits.ts'
import { type Finding, detailOf } from '../rules.ts'
import type { Containment } from './text-check.ts'
import type { TransferEncoding } from './encoded-part.ts'
import { partBoundary, readMailPart } from './mail-part.ts'
import type { TextCheck, TextPart, TextReport } from './text-check.ts'

const MAX_LINE = 4096
/** What is kept of the fields about the content of a part. */
const MAX_HEADER = 16 * 1024
const MAX_BOUNDARY = 200
/** Lengths of boundaries that one message has. */
const MAX_LENGTHS = 20
const [NEWLINE, RETURN, DASH] = [0x0a, 0x0d, 0x2d]
const NONE = new Uint8Array(0)
/** The first letters of lines of interest in a body: boundaries, `begin` and `end`, `Content-…`, `From `. */
const OF_INTEREST = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-bceCF=]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

interface OpenPart {
  readonly names: readonly string[]
  readonly as: Containment
  readonly encodings: readonly TransferEncoding[]
  readonly from: number
  /** Files within a text, whose end is a line. */
  readonly end?: RegExp
}

/** Finds the parts of a message: attachments, pages, messages, and files within its text. */
export class MailCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  /** A line that goes on in the next bytes. */
  #carried: Uint8Array = NONE
  #isInLine = false
  /** The fields about the content, one per line; undefined in a body. */
  #header: string | undefined = ''
  #isContentField = false
  #hasFields = false
  #isMail = false
  #isMailbox = false
  /** Very old messages have CR at the end of lines. */
  #newline = 0
  #wasBlank = true
  /** The line break before the bytes that are being read. It belongs to the boundary after it. */
  #breakBytes = 0
  /** The byte before them. */
  #lastByte = 0
  readonly #boundaries = new Set<string>()
  readonly #lengths = new Set<number>()
  readonly #parts: TextPart[] = []
  #number = 0
  #headers = 0
  /** It has more parts or boundaries than are looked at. */
  #isOver = false
  #open: OpenPart | undefined
  /** A file within the text of a part. */
  #inline: OpenPart | undefined
  #readBytes = 0
  /** The offset of the bytes that are being read. */
  #offset = 0

  /** Attachments may be stored as they are. */
  get readsBinary(): boolean {
    return this.#isMail
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return
    const all = this.#carried.length === 0 ? bytes : joined([this.#carried, bytes])
    this.#offset = this.#readBytes - this.#carried.length
    if (this.#newline === 0) this.#newline = all.includes(NEWLINE) || !all.includes(RETURN) ? NEWLINE : RETURN
    this.#isMailbox ||= this.#readBytes === 0 && this.#decoder.decode(all.subarray(0, 5)) === 'From '
    this.#readBytes += bytes.length
    let at = 0
    for (let from = -1; at < all.length && at !== from && !this.#isOver;) {
      from = at
      at = this.#isEncoded ? this.#skipEncoded(all, at) : this.#readLine(all, at)
    }
    this.#carried = at === all.length ? NONE : copyOf(all.subarray(at))
    this.#pass(all, at)
    // An overlong line is read in parts.
    if (this.#carried.length > MAX_LINE) this.#readCarried()
  }

  end(): TextReport {
    if (!this.#isOver) this.#readCarried()
    this.#endParts(this.#readBytes)
    const findings: readonly Finding[] = this.#isOver
      ? [{ code: 'not_examined_in_time', detail: detailOf('detail.mailTooComplex') }]
      : []
    return { findings, parts: this.#parts }
  }

  #readCarried(): void {
    this.#offset = this.#readBytes - this.#carried.length
    this.#read(this.#carried, 0, this.#carried.length)
    this.#pass(this.#carried, this.#carried.length)
    this.#carried = NONE
  }

  #pass(bytes: Uint8Array, to: number): void {
    this.#breakBytes = this.#breakBefore(bytes, to)
    this.#lastByte = to === 0 ? this.#lastByte : (bytes[to - 1] as number)
  }

  #breakBefore(bytes: Uint8Array, at: number): number {
    if (at === 0) return this.#breakBytes
    const before = at === 1 ? this.#lastByte : bytes[at - 2]
    return bytes[at - 1] === NEWLINE && before === RETURN ? 2 : 1
  }

  /** Base64 has no lines of interest but boundaries, so the lines need not be looked at. */
  get #isEncoded(): boolean {
    return this.#open?.encodings[0] === 'base64' && !this.#isMailbox
  }

  get #isPlain(): boolean {
    return this.#open === undefined || this.#open.encodings.includes('identity')
  }

  /** Returns the start of the next line, or `at` if the line is not complete. */
  #readLine(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(this.#newline, at)
    if (end === -1) return at
    if (this.#header !== undefined || OF_INTEREST[bytes[at] as number] === 1) this.#read(bytes, at, end)
    this.#wasBlank = end - at < 2
    return end + 1
  }

  /** Reads up to the next line that starts with `--`, or that line. */
  #skipEncoded(bytes: Uint8Array, at: number): number {
    const end = this.#boundaryFrom(bytes, at)
    if (end === at) return end + 1 < bytes.length ? this.#readLine(bytes, at) : at
    this.#isInLine = bytes[end - 1] !== this.#newline
    return end
  }

  #boundaryFrom(bytes: Uint8Array, from: number): number {
    for (let at = bytes.indexOf(DASH, from); at !== -1; at = bytes.indexOf(DASH, at + 1)) {
      const startsLine = at === from ? !this.#isInLine : bytes[at - 1] === this.#newline
      if (startsLine && (at + 1 === bytes.length || bytes[at + 1] === DASH)) return at
    }
    return bytes.length
  }

  #read(bytes: Uint8Array, from: number, to: number): void {
    const line = this.#decoder.decode(bytes.subarray(from, Math.min(to, from + MAX_LINE))).trimEnd()
    const at = this.#offset + from
    if (this.#isBoundary(line)) {
      this.#endParts(at - this.#breakBefore(bytes, from))
      this.#beginHeader()
    } else if (this.#isMailbox && line.startsWith('From ') && (this.#wasBlank || at === 0)) {
      this.#endParts(at)
      this.#boundaries.clear()
      this.#lengths.clear()
      this.#beginHeader()
    } else if (this.#header === undefined) this.#readBody(line, at)
    else if (line !== '') this.#readField(line)
    else if (this.#hasFields || at > 0) {
      this.#endHeader(this.#header, this.#offset + to + 1)
    }
  }

  #beginHeader(): void {
    this.#header = ''
    this.#hasFields = false
    this.#isContentField = false
    this.#isInLine = false
  }

  /** Only the fields about the content are kept. */
  #readField(line: string): void {
    if (/^[ \t]/.test(line)) {
      if (this.#isContentField && this.#header !== undefined) this.#header += line
      this.#isOver ||= (this.#header?.length ?? 0) > MAX_HEADER
      return
    }
    this.#hasFields = true
    this.#isMail ||= /^[!-9;-~]+[ \t]*:/.test(line)
    this.#isContentField = /^content-/i.test(line)
    if (this.#isContentField) this.#header += `\n${line}`
    // Names may be behind what is not kept.
    this.#isOver ||=
      (this.#header?.length ?? 0) > MAX_HEADER || (this.#isContentField && line.length >= MAX_LINE)
  }

  /** Messages without boundaries start with a field, and files within a text with a line of their own. */
  #readBody(line: string, at: number): void {
    if (this.#inline?.end?.test(line) === true) {
      this.#add(this.#inline, at + line.length)
      this.#inline = undefined
    }
    if (this.#inline === undefined && this.#isPlain) {
      const begin = /^begin(-base64)?[ \t]{1,20}[0-7]{3,4}[ \t]{1,20}(\S.{0,250})$/.exec(line)
      if (begin !== null)
        this.#inline = {
          names: [begin[2] as string],
          as: 'attachment',
          encodings: ['uuencode'],
          from: at,
          end: begin[1] === undefined ? /^end$/ : /^====$/,
        }
    }
    if (this.#open === undefined && /^content-transfer-encoding[ \t]*:/i.test(line)) {
      this.#beginHeader()
      this.#readField(line)
    }
  }

  /** If no boundary is known, any line with two dashes may be one. */
  #isBoundary(line: string): boolean {
    if (!line.startsWith('--')) return false
    if (this.#boundaries.size === 0) return true
    for (const length of this.#lengths) if (this.#boundaries.has(line.slice(2, 2 + length))) return true
    return false
  }

  #endHeader(header: string, from: number): void {
    const boundary = partBoundary(header)
    if (boundary !== undefined && boundary.length <= MAX_BOUNDARY) {
      this.#boundaries.add(boundary)
      this.#lengths.add(boundary.length)
    }
    this.#isOver ||= this.#lengths.size > MAX_LENGTHS || ++this.#headers > FILE_PARTS
    const { encodings, names, as, isMessage, isFile } = readMailPart(header, this.#number + 1)
    this.#header = undefined
    if (isMessage) this.#beginHeader()
    else if (isFile) {
      this.#number++
      this.#open = { names, as, encodings, from }
    }
    this.#isInLine = false
  }

  #endParts(to: number): void {
    for (const part of [this.#inline, this.#open]) if (part !== undefined) this.#add(part, to)
    this.#inline = undefined
    this.#open = undefined
  }

  #add({ names, as, encodings, from }: OpenPart, to: number): void {
    for (const name of names)
      for (const encoding of encodings)
        if (this.#parts.length >= FILE_PARTS) this.#isOver = true
        else if (to > from) this.#parts.push({ name, as, encoding, from, to })
  }
}
