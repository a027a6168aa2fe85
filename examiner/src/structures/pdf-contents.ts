import type { RandomAccess } from '@kitseal/kit'
import type { Budget } from '../budget.ts'
import { findBytes } from '../detect/find-bytes.ts'
import { executableName, runsWhenOpened } from '../detect/programs.ts'
import { RATIO_FLOOR_BYTES } from '../limits.ts'
import { bytesAt, copyOf, joined } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { bytesFile } from './inner-files.ts'
import { pdfStringAt } from './pdf-dictionary.ts'
import { decodePdfStream, expandingFilters, type PdfFilters } from './pdf-filters.ts'
import { PdfObject, type PdfStream } from './pdf-object.ts'
import { readPdfObjects } from './pdf-objects.ts'
import type { Covered, InnerFile, Structure } from './structure.ts'

const MAX_RATIO = 200
const MAX_FILTERS = 8
/** Decoding and reading objects takes seconds from here on. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024
const MAX_STREAM_BYTES = 4 * 1024 * 1024
const MAX_STREAMS = 100_000
const MAX_ATTACHMENTS = 1000
const MAX_NAMES = 10_000
/** Attached files are decoded in memory. */
const MAX_ATTACHED_BYTES = 64 * 1024 * 1024

/** Searches a PDF for what runs when it is opened, attached programs, and streams that are bombs. */
export async function checkPdfContents(
  source: RandomAccess,
  isEncrypted: boolean,
  budget: Budget,
): Promise<Structure> {
  const search = new PdfSearch(source)
  const isComplete = await readPdfObjects(source, (object) => search.add(object))
  if (!isComplete) search.report('malformed_pdf', 'its objects overlap or are too long')
  await search.readStreams(isEncrypted)
  const total = search.inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = budget.admit(0, total, source.sizeBytes)
  const findings = search.findings()
  if (limit !== undefined) return { findings: [...findings, limit], notes: search.notes }
  return { findings, notes: search.notes, inner: search.inner, covered: search.covered }
}

class PdfSearch {
  readonly #source: RandomAccess
  readonly #found: Finding[] = []
  readonly notes: string[] = []
  readonly #streams: PdfStream[] = []
  readonly #objectStreams: PdfStream[] = []
  readonly #attachments: PdfStream[] = []
  readonly #byNumber = new Map<number, PdfStream>()
  readonly #filtersOf = new Map<number, readonly string[]>()
  readonly #attached = new Map<number, string>()
  /** The attached files, and where they are. */
  readonly inner: InnerFile[] = []
  readonly covered: Covered[] = []
  #attachedBytes = 0
  readonly #fileNames = new Set<string>()
  #launches = false
  #hasParameters = false
  #hasScript = false
  #hasMore = false
  #decodedBytes = 0
  #rawBytes = 0

  constructor(source: RandomAccess) {
    this.#source = source
  }

  report(code: Finding['code'], detail: string): void {
    this.#found.push({ code, detail })
  }

  add(object: PdfObject): void {
    this.#launches ||= object.launches
    this.#hasParameters ||= object.launches && object.hasParameters
    this.#hasScript ||= object.hasScript
    for (const name of object.fileNames) this.#addName(fileName(name))
    for (const { number, names } of object.attached) {
      const all = names.map(fileName).filter((name) => name !== '')
      const name = all.find((one) => executableName(one, true) !== undefined) ?? all[0] ?? ''
      if (this.#attached.size < MAX_ATTACHMENTS) this.#attached.set(number, name)
    }
    const { stream, number, filters } = object
    if (stream === undefined) {
      if (filters.length > 0 && this.#filtersOf.size < MAX_STREAMS) this.#filtersOf.set(number, filters)
    } else this.#addStream(object, stream)
  }

  #addName(name: string): void {
    const isOfInterest = runsWhenOpened(name) || executableName(name, true) !== undefined
    if (isOfInterest && this.#fileNames.size < MAX_NAMES) this.#fileNames.add(name)
  }

  #addStream(object: PdfObject, stream: PdfStream): void {
    if (this.#byNumber.size < MAX_STREAMS) this.#byNumber.set(object.number, stream)
    const mayBeBomb = expandingFilters(object.filters) > 1 || object.filters.length > MAX_FILTERS
    const lists = [
      ...(object.isObjectStream ? [this.#objectStreams] : []),
      ...(object.isAttachment ? [this.#attachments] : []),
      ...(stream.filtersIn !== undefined || mayBeBomb ? [this.#streams] : []),
    ]
    for (const list of lists) {
      if (list.length < MAX_STREAMS) list.push(stream)
      else this.#hasMore = true
    }
  }

  /** Encrypted streams cannot be read. */
  async readStreams(isEncrypted: boolean): Promise<void> {
    const hidden = this.#objectStreams.length + this.#attachments.length + this.#attached.size
    if (isEncrypted && hidden > 0) {
      this.report('partly_examined', 'its objects and attachments are encrypted')
      return
    }
    for (const stream of this.#streams) if (await this.#isBomb(stream)) return
    for (const stream of this.#objectStreams) if (!(await this.#readObjects(stream))) return
    const attachments = new Map(this.#attachments.map((stream) => [stream, '']))
    for (const [number, name] of this.#attached) {
      const stream = this.#byNumber.get(number)
      if (stream !== undefined) attachments.set(stream, name)
    }
    for (const [stream, name] of [...attachments].slice(0, MAX_ATTACHMENTS))
      await this.#readAttachment(stream, name === '' ? `attachment ${this.inner.length + 1}` : name)
    if (attachments.size > MAX_ATTACHMENTS)
      this.report('partly_examined', `only the first ${MAX_ATTACHMENTS} attachments were examined`)
  }

  findings(): readonly Finding[] {
    const names = [...this.#fileNames]
    const program = this.#launches ? names.find((name) => runsWhenOpened(name)) : undefined
    if (program !== undefined || this.#hasParameters)
      this.report('embedded_object', `it starts ${program ?? 'a program'}`)
    else if (this.#launches) this.report('active_content', 'it opens other files')
    const attached = this.#attached.size > 0 ? names.find((name) => executableName(name, true)) : undefined
    if (attached !== undefined) this.report('executable_content', `an attachment is named ${attached}`)
    if (this.#hasMore) this.report('malformed_pdf', `it has more than ${MAX_STREAMS} streams of a kind`)
    if (this.#hasScript) this.report('active_content', 'it contains JavaScript')
    return this.#found
  }

  /** Streams that are compressed twice can expand a million times. */
  async #isBomb(stream: PdfStream): Promise<boolean> {
    const { names } = this.#filters(stream)
    if (names.length > MAX_FILTERS) {
      this.report(
        'nested_too_deep',
        `a stream has ${names.length} filters; at most ${MAX_FILTERS} are allowed`,
      )
      return true
    }
    if (expandingFilters(names) < 2) return false
    const raw = await this.#raw(stream)
    if (raw.length === MAX_STREAM_BYTES) {
      this.report('archive_ratio', `a stream of more than ${MAX_STREAM_BYTES} bytes is compressed twice`)
      return true
    }
    this.#rawBytes += raw.length
    for (const { length } of decodePdfStream(raw, { names })) if (this.#exceedsRatio(length)) return true
    return false
  }

  #exceedsRatio(moreBytes: number): boolean {
    this.#decodedBytes += moreBytes
    const [decoded, raw] = [this.#decodedBytes, this.#rawBytes]
    const isBomb = decoded > RATIO_FLOOR_BYTES && decoded > MAX_RATIO * raw
    if (!isBomb && decoded <= MAX_DECODED_BYTES + 4 * this.#source.sizeBytes) return false
    this.report('archive_ratio', `streams of ${raw} bytes unpack to more than ${decoded}`)
    return true
  }

  /** False if it is a bomb. */
  async #readObjects(stream: PdfStream): Promise<boolean> {
    const raw = await this.#raw(stream)
    if (raw.length === MAX_STREAM_BYTES) this.report('partly_examined', 'an object stream is too large')
    this.#rawBytes += raw.length
    const decoder = new TextDecoder('latin1')
    let text = ''
    for (const bytes of decodePdfStream(raw, this.#filters(stream))) {
      if (this.#exceedsRatio(bytes.length)) return false
      text += decoder.decode(bytes)
      if (text.length < MAX_STREAM_BYTES) continue
      this.#addObjects(text)
      text = ''
    }
    this.#addObjects(text)
    return true
  }

  #addObjects(text: string): void {
    const objects = new PdfObject(0)
    objects.read(text, 0, 0)
    this.add(objects)
  }

  async #readAttachment(stream: PdfStream, name: string): Promise<void> {
    const raw = withoutBreak(await this.#raw(stream, MAX_ATTACHED_BYTES), stream.lengthBytes)
    const parts: Uint8Array[] = []
    for (const bytes of decodePdfStream(raw, this.#filters(stream))) {
      this.#attachedBytes += bytes.length
      if (this.#attachedBytes > MAX_ATTACHED_BYTES) {
        this.report('partly_examined', 'its attachments are too large')
        break
      }
      parts.push(copyOf(bytes))
    }
    this.covered.push({ from: stream.contentAt, to: stream.contentAt + raw.length })
    this.inner.push(bytesFile(name, 'attachment', joined(...parts)))
  }

  #filters({ filters, filtersIn }: PdfStream): PdfFilters {
    const names = filtersIn === undefined ? filters.names : (this.#filtersOf.get(filtersIn) ?? [])
    return { ...filters, names }
  }

  /** The bytes up to `endstream`: the declared length may be wrong. */
  async #raw(
    { contentAt, lengthBytes = 0 }: PdfStream,
    limitBytes: number = MAX_STREAM_BYTES,
  ): Promise<Uint8Array> {
    for (let wanted = Math.min(limitBytes, lengthBytes + 32); ; wanted = Math.min(limitBytes, wanted * 8)) {
      const bytes = await bytesAt(this.#source, contentAt, wanted)
      const end = findBytes(bytes, END_OF_STREAM, Math.min(lengthBytes, bytes.length))
      if (end !== -1) return bytes.subarray(0, end)
      if (bytes.length < wanted || wanted === limitBytes) return bytes
    }
  }
}

/** A line break may be before `endstream`. */
function withoutBreak(raw: Uint8Array, lengthBytes = 0): Uint8Array {
  if (lengthBytes <= raw.length && raw.length - lengthBytes <= 2) return raw.subarray(0, lengthBytes)
  if (raw.at(-1) !== 0x0a) return raw.at(-1) === 0x0d ? raw.subarray(0, -1) : raw
  return raw.subarray(0, raw.at(-2) === 0x0d ? -2 : -1)
}

const END_OF_STREAM = new TextEncoder().encode('endstream')

/** The last part of a path, decoded, so that it does not keep the text that it is from in memory. */
function fileName(token: string): string {
  const bytes = pdfStringAt(token, 0)
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff
  const text = new TextDecoder(isWide ? 'utf-16be' : 'latin1').decode(bytes)
  return text.split(/[/\\:]/).at(-1) ?? ''
}
