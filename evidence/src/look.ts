import { hex, type Host } from '@kitseal/kit'
import { type Content, endingOf, type TypeId, typeOfEnding } from './file-types.ts'
import { BytesFinder, eicarString } from './find-bytes.ts'
import { HEAD_BYTES, SMALL_BYTES, XML_FILE_BYTES, YAML_COST, YAML_FILE_BYTES } from './limits.ts'
import type { Finding } from './rules.ts'
import { attachmentFinder } from './structures/pdf-attachments.ts'
import { tellContent } from './tell-content.ts'
import { DelimitedRows } from './text/delimited-rows.ts'
import { JsonSyntax } from './text/json-syntax.ts'
import { mailReport } from './text/mail-header.ts'
import { MailParts } from './text/mail-parts.ts'
import { htmlReport } from './text/markup.ts'
import { byteOrderMark, TextBytes, type TextVerdict } from './text/text-bytes.ts'
import type { TextCheck, TextReport } from './text/text-check.ts'
import { XmlSyntax } from './text/xml-syntax.ts'
import { yamlReport } from './text/yaml-syntax.ts'

export interface LookOrder {
  readonly path: string
  readonly sizeBytes: number
  /** Whether SHA-256 and CRC-32 are wanted. */
  readonly measured: boolean
  /** How many bytes slow parsers may still take. */
  readonly parsedBytes: number
}

/** What one pass over the content showed. */
export interface Seen {
  readonly sizeBytes: number
  readonly sha256: string | undefined
  readonly crc32: number | undefined
  readonly content: Content
  readonly text: TextVerdict | undefined
  readonly head: Uint8Array
  /** The content itself, where it is small. */
  readonly whole: Uint8Array | undefined
  /** Where a PDF may have files attached. */
  readonly attachmentsAt: readonly number[]
  readonly parsedBytes: number
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

const EICAR = eicarString()

/** One pass over the content of a file: it is measured, told and searched, and never held unless it is small. */
export class Look {
  readonly #order: LookOrder
  readonly #host: Pick<Host, 'crc32'>
  readonly #hash: ReturnType<Host['sha256']> | undefined
  readonly #eicar = new BytesFinder(EICAR)
  /** For a text with two bytes to a letter. */
  #wideEicar: BytesFinder | undefined
  readonly #type: TypeId | undefined
  #kept: Uint8Array | undefined
  #keptBytes = 0
  #crc32 = 0
  #sizeBytes = 0
  #content: Content | undefined
  #text: TextBytes | undefined
  #check: TextCheck | undefined
  #attachments: BytesFinder | undefined
  #parsedBytes = 0
  readonly #notes: string[] = []

  constructor(order: LookOrder, host: Pick<Host, 'sha256' | 'crc32'>) {
    this.#order = order
    this.#host = host
    this.#hash = order.measured ? host.sha256() : undefined
    this.#type = typeOfEnding(endingOf(order.path))?.id
  }

  push(bytes: Uint8Array): void {
    const encoding = this.#sizeBytes === 0 ? byteOrderMark(bytes) : undefined
    if (encoding !== undefined) this.#wideEicar = new BytesFinder(eicarString(encoding))
    this.#hash?.update(bytes)
    if (this.#hash !== undefined) this.#crc32 = this.#host.crc32(bytes, this.#crc32)
    this.#sizeBytes += bytes.length
    const isLast = this.#sizeBytes >= this.#order.sizeBytes
    this.#eicar.push(bytes, isLast)
    this.#wideEicar?.push(bytes, isLast)
    const before = this.#keptBytes
    this.#keep(bytes)
    if (this.#content !== undefined) this.#read(bytes)
    else if (this.#keptBytes >= Math.min(HEAD_BYTES, this.#order.sizeBytes)) {
      this.#begin()
      this.#read(this.#keptUpTo(before))
      this.#read(bytes)
    }
  }

  /** A small file is kept whole, of a large one its head. Pieces are lent, but one that is the whole file lasts long enough. */
  #keep(bytes: Uint8Array): void {
    const { sizeBytes } = this.#order
    const limit = sizeBytes <= SMALL_BYTES ? sizeBytes : HEAD_BYTES
    if (this.#keptBytes >= limit) return
    // Of a large file only a copy of its head: a view of it would hold on to all of it, or be empty soon.
    if (bytes.length === sizeBytes && limit === sizeBytes) this.#kept = bytes
    else {
      this.#kept ??= new Uint8Array(limit)
      this.#kept.set(bytes.subarray(0, limit - this.#keptBytes), this.#keptBytes)
    }
    this.#keptBytes = Math.min(limit, this.#keptBytes + bytes.length)
  }

  #keptUpTo(end: number): Uint8Array {
    return this.#kept?.subarray(0, end) ?? new Uint8Array(0)
  }

  async end(): Promise<Seen> {
    if (this.#content === undefined) {
      this.#begin()
      this.#read(this.#keptUpTo(this.#keptBytes))
    }
    const whole = this.#order.sizeBytes <= SMALL_BYTES ? this.#keptUpTo(this.#keptBytes) : undefined
    const head = this.#keptUpTo(Math.min(HEAD_BYTES, this.#keptBytes))
    const text = this.#text?.end()
    const isText = text?.is === 'text'
    const report = isText ? this.#textReport(text, head, whole) : undefined
    const digest = await this.#hash?.digest()
    return {
      sizeBytes: this.#sizeBytes,
      sha256: digest === undefined ? undefined : hex(digest),
      crc32: this.#hash === undefined ? undefined : this.#crc32,
      content: this.#content === 'text' && !isText ? 'other' : (this.#content ?? 'other'),
      text,
      head,
      whole,
      attachmentsAt: this.#attachments?.at ?? [],
      parsedBytes: this.#parsedBytes,
      findings: [
        ...(this.#eicar.found || this.#wideEicar?.found === true ? [{ code: 'test_virus' } as const] : []),
        ...(report?.findings ?? []),
      ],
      notes: [...this.#notes, ...(report?.notes ?? [])],
    }
  }

  #begin(): void {
    this.#content = tellContent(this.#keptUpTo(this.#keptBytes))
    if (this.#content === 'pdf') this.#attachments = attachmentFinder()
    if (this.#content !== 'text') return
    this.#text = new TextBytes()
    this.#check = this.#checkFor(this.#type)
  }

  #checkFor(type: TypeId | undefined): TextCheck | undefined {
    if (type === 'json' || type === 'ndjson') return new JsonSyntax(type === 'ndjson')
    if (type === 'csv' || type === 'tsv') return new DelimitedRows(type)
    if (type === 'eml') return new MailParts()
    if (type !== 'xml') return undefined
    const { sizeBytes } = this.#order
    if (sizeBytes > XML_FILE_BYTES || sizeBytes > this.#order.parsedBytes) {
      this.#notes.push('not parsed as XML: too large; checked as text')
      return undefined
    }
    this.#parsedBytes = sizeBytes
    return new XmlSyntax()
  }

  #read(bytes: Uint8Array): void {
    this.#attachments?.push(bytes)
    if (bytes.length === 0 || this.#text === undefined || this.#text.isBinary) return
    this.#text.push(bytes)
    if (!this.#text.isBinary) this.#check?.push(bytes)
  }

  #textReport(
    text: Extract<TextVerdict, { is: 'text' }>,
    head: Uint8Array,
    whole: Uint8Array | undefined,
  ): TextReport | undefined {
    const wide = text.encoding === 'utf-16le' || text.encoding === 'utf-16be'
    if (text.encoding !== 'utf-8')
      this.#notes.push(`text in ${wide ? text.encoding.toUpperCase() : 'an 8-bit encoding'}`)
    if ((this.#type === 'json' || this.#type === 'ndjson') && text.encoding !== 'utf-8') {
      const seen = `it is in ${wide ? 'UTF-16' : 'an 8-bit encoding'}, and JSON is in UTF-8: save it again as UTF-8`
      return { findings: [{ code: 'malformed_json', seen }], notes: [] }
    }
    if (this.#type === 'yaml') return this.#yaml(whole)
    if (this.#type === 'eml') {
      const { findings, notes } = mailReport(head)
      return { findings: [...findings, ...(this.#check?.end().findings ?? [])], notes }
    }
    if (this.#type === 'html') return htmlReport(head, whole)
    // Rows are read byte by byte, which two bytes to a letter would confuse.
    return wide && this.#type !== 'xml' ? undefined : this.#check?.end()
  }

  #yaml(whole: Uint8Array | undefined): TextReport {
    const cost = (whole?.length ?? 0) * YAML_COST
    if (whole === undefined || whole.length > YAML_FILE_BYTES || cost > this.#order.parsedBytes) {
      return { findings: [], notes: ['not parsed as YAML: too large; checked as text'] }
    }
    this.#parsedBytes = cost
    return yamlReport(whole)
  }
}
