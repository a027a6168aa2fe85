import { copyOf, joined } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import type { Held } from '../structures/held.ts'
import type { TransferEncoding } from './encoded-part.ts'
import { checkMailHeader } from './mail-header.ts'
import { partBoundary, readMailPart } from './mail-part.ts'
import type { ReadText, TextCheck, TextPart, TextReport } from './text-check.ts'

const MAX_LINE = 4096
const MAX_HEADER = 256 * 1024
const MAX_PARTS = 20_000
const MAX_BOUNDARIES = 100
const [NEWLINE, RETURN, DASH] = [0x0a, 0x0d, 0x2d]
const NONE = new Uint8Array(0)
/** The first letters of lines of interest in a body: boundaries, `begin` and `end`, `Content-…`, `From `. */
const OF_INTEREST = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-bceCF=]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

interface OpenPart {
  readonly names: readonly string[]
  readonly held: Held
  readonly encodings: readonly TransferEncoding[]
  readonly from: number
  /** Files within a text, whose end is a line. */
  readonly end?: RegExp
}

/** Checks the header of a message, and finds its parts: attachments, pages, messages, and files within its text. */
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
  /** The last line break, which belongs to the boundary after it. */
  #breakBytes = 0
  readonly #boundaries: string[] = []
  readonly #parts: TextPart[] = []
  #number = 0
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
    const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes)
    this.#offset = this.#readBytes - this.#carried.length
    if (this.#newline === 0) this.#newline = all.includes(NEWLINE) || !all.includes(RETURN) ? NEWLINE : RETURN
    this.#isMailbox ||= this.#readBytes === 0 && this.#decoder.decode(all.subarray(0, 5)) === 'From '
    this.#readBytes += bytes.length
    let at = 0
    for (let from = -1; at < all.length && at !== from;) {
      from = at
      at = this.#isEncoded ? this.#skipEncoded(all, at) : this.#readLine(all, at)
    }
    this.#carried = at === all.length ? NONE : copyOf(all.subarray(at))
    // An overlong line is read in parts.
    if (this.#carried.length > MAX_LINE) this.#readCarried()
  }

  end({ head }: Pick<ReadText, 'head'>): TextReport {
    this.#readCarried()
    this.#endParts(this.#readBytes)
    const { findings, notes } = checkMailHeader(head)
    const more: readonly Finding[] =
      this.#parts.length < MAX_PARTS
        ? []
        : [{ code: 'partly_examined', detail: `it has more than ${MAX_PARTS} attachments` }]
    return { findings: [...findings, ...more], notes, parts: this.#parts }
  }

  #readCarried(): void {
    this.#offset = this.#readBytes - this.#carried.length
    this.#read(this.#carried, 0, this.#carried.length)
    this.#carried = NONE
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
    this.#breakBytes = this.#newline === NEWLINE && bytes[end - 1] === RETURN ? 2 : 1
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
    const line = this.#decoder.decode(bytes.subarray(from, Math.min(to, from + MAX_HEADER))).trimEnd()
    const at = this.#offset + from
    if (this.#isBoundary(line)) {
      this.#endParts(at - this.#breakBytes)
      this.#beginHeader()
    } else if (this.#isMailbox && line.startsWith('From ') && (this.#wasBlank || at === 0)) {
      this.#endParts(at)
      this.#boundaries.length = 0
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
      return
    }
    this.#hasFields = true
    this.#isMail ||= /^[!-9;-~]+[ \t]*:/.test(line)
    this.#isContentField = /^content-/i.test(line) && (this.#header?.length ?? 0) < MAX_HEADER
    if (this.#isContentField) this.#header += `\n${line}`
  }

  /** Messages without boundaries start with a field, and files within a text with a line of their own. */
  #readBody(line: string, at: number): void {
    if (this.#inline?.end?.test(line) === true) {
      this.#add(this.#inline, at + line.length)
      this.#inline = undefined
    }
    if (this.#inline === undefined && this.#isPlain) {
      const begin = /^begin(-base64)?[ \t]+[0-7]{3,4}[ \t]+(\S.*)$/.exec(line)
      if (begin !== null)
        this.#inline = {
          names: [begin[2] as string],
          held: 'attachment',
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
    return this.#boundaries.length === 0 || this.#boundaries.some((boundary) => line.startsWith(boundary, 2))
  }

  #endHeader(header: string, from: number): void {
    const boundary = partBoundary(header)
    if (boundary !== undefined && this.#boundaries.length < MAX_BOUNDARIES) this.#boundaries.push(boundary)
    const { encodings, names, held, isMessage, isFile } = readMailPart(header, this.#number + 1)
    this.#header = undefined
    if (isMessage) this.#beginHeader()
    else if (isFile) {
      this.#number++
      this.#open = { names, held, encodings, from }
    }
    this.#isInLine = false
  }

  #endParts(to: number): void {
    for (const part of [this.#inline, this.#open]) if (part !== undefined) this.#add(part, to)
    this.#inline = undefined
    this.#open = undefined
  }

  #add({ names, held, encodings, from }: OpenPart, to: number): void {
    for (const name of names)
      for (const encoding of encodings)
        if (this.#parts.length < MAX_PARTS && to > from) this.#parts.push({ name, held, encoding, from, to })
  }
}
