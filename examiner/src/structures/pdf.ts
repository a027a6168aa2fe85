import { type Reason } from '@kitseal/kit/internal'
import type { RandomAccess } from '@kitseal/kit'
import { pdfHeaderAt } from '../detect/signatures.ts'
import type { ExamineContext } from '../examine-context.ts'
import { executableName } from '../detect/programs.ts'
import { bytesAt, chunks, joined } from '../platform/sources.ts'
import { type Finding, detailOf, detailsOf, type PlainDetail } from '../rules.ts'
import { findBytes } from '../search/find-bytes.ts'
import { programInside } from '../search/program-search.ts'
import { SecretFinder } from '../secrets/find-secrets.ts'
import { bytesFile } from './inner-files.ts'
import { opensWithoutPassword, pdfTextAt } from './pdf-encryption.ts'
import type { Covered, FileToCheck, InnerFile, Structure } from './structure.ts'
import { Inflate, Unzlib } from 'fflate'

const TAIL_BYTES = 2048
const MAX_DICTIONARY = 64 * 1024
const MAX_STREAMS = 100_000
const MAX_ATTACHMENTS = 1000
const MAX_STREAM_BYTES = 64 * 1024 * 1024
/** What streams may inflate to: this, and more for a larger file. */
const MAX_INFLATED_BYTES = 32 * 1024 * 1024
const MAX_RATIO = 20

/** What may be between two tokens. */
const GAP = String.raw`(?:[\0\s]|%[^\n\r]{0,200}[\n\r]){0,100}`
/** Names of actions and objects that run, load or send something. */
const ACTIVE = new Map<string, PlainDetail>([
  ['Launch', 'detail.pdf.launch'],
  ['JavaScript', 'detail.javaScript'],
  ['JS', 'detail.javaScript'],
  ['Rendition', 'detail.pdf.media'],
  ['RichMedia', 'detail.pdf.richMedia'],
  ['SubmitForm', 'detail.pdf.form'],
  ['ImportData', 'detail.pdf.import'],
  ['GoToR', 'detail.pdf.opensFile'],
  ['GoToE', 'detail.pdf.opensAttached'],
  ['XFA', 'detail.pdf.xfa'],
])
const NAME =
  /\/(Launch|JavaScript|JS|Rendition|RichMedia|SubmitForm|ImportData|GoTo[RE]|XFA)(?=[\0\s()<>[\]{}/%]|$)/g
/** A name may have any letter as # and two digits. */
const ESCAPED_NAME = /\/[^\0\s()<>[\]{}/%#]{0,60}#[^\0\s()<>[\]{}/%]{1,120}/g
const FILTER = new RegExp(String.raw`\/Filter${GAP}(\[[^\]]{0,300}\]|\/[A-Za-z0-9]{1,30}|\d)`)
const EMBEDDED = new RegExp(String.raw`\/EF${GAP}<<([^>]{0,300})>>`, 'g')
const FILE_NAME = new RegExp(String.raw`\/(?:F|UF|Unix|Mac|DOS)${GAP}(?=[(<][^<])`, 'g')
const OPENS = new RegExp(String.raw`\/OpenAction${GAP}(?:(\d{1,10})${GAP}\d{1,5}${GAP}R|<<)`, 'g')
const STRINGS = /\((?:[^()\\]|\\[^])*\)|<[\dA-Fa-f\s]+>/g
const ENCRYPT = new RegExp(String.raw`\/Encrypt${GAP}(?:\d|<<)`)
const URI_ACTION = new RegExp(String.raw`\/S${GAP}\/URI(?![A-Za-z])`)
const IMAGE_FILTERS = new Set([
  'DCTDecode',
  'DCT',
  'JPXDecode',
  'CCITTFaxDecode',
  'CCF',
  'JBIG2Decode',
  'FlateDecode',
  'Fl',
])

interface PdfStream {
  readonly number: number
  readonly at: number
  readonly filters: readonly string[] | undefined
  readonly kind: 'image' | 'attachment' | 'other'
}

/** What the text of a PDF shows. */
interface Scan {
  readonly streams: PdfStream[]
  /** The objects that are attached files, with their names. */
  readonly attached: Map<number, string>
  readonly active: Set<PlainDetail>
  /** Dictionaries of trailers that name an encryption. */
  readonly encryption: string[]
  /** The objects that act when it is opened. */
  readonly opens: Set<number>
  hasMore: boolean
}

/**
 * Searches a PDF once for what runs or loads something, what is attached to it, and its encryption. Streams are inflated and
 * searched; what has another filter is not opened.
 */
export async function checkPdf({ source }: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const findings: Finding[] = []
  const damage = await endProblem(source)
  if (damage !== undefined) findings.push({ code: 'malformed_pdf', detail: damage })
  const scan: Scan = {
    streams: [],
    attached: new Map(),
    active: new Set(),
    encryption: [],
    opens: new Set(),
    hasMore: false,
  }
  await scanFile(source, scan)
  const inner: InnerFile[] = []
  const covered: Covered[] = []
  const [trailer] = scan.encryption
  if (trailer === undefined) findings.push(...(await readStreams(source, scan, inner, covered, ctx)))
  else if (await opensWithoutPassword(source, trailer))
    findings.push({ code: 'partly_examined', detail: detailOf('detail.emptyPassword') })
  else findings.push({ code: 'encrypted_pdf', detail: detailOf('detail.trailerSays') })
  if (await opensLink(source, scan.opens)) scan.active.add('detail.pdf.opensLink')
  const program = [...scan.attached.values()].find((name) => executableName(name, false) !== undefined)
  if (program !== undefined)
    findings.push({
      code: 'executable_content',
      detail: detailOf('detail.attachmentNamed', { name: program }),
    })
  if (scan.active.size > 0)
    findings.push({
      code: 'active_content',
      detail: detailsOf([...scan.active].toSorted().map((key) => detailOf(key))),
    })
  if (scan.hasMore) findings.push({ code: 'not_examined_in_time', detail: detailOf('detail.tooManyStreams') })
  const total = inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const limit = ctx.budget.admit(0, total, source.sizeBytes)
  return {
    findings: limit === undefined ? findings : [...findings, limit],
    inner: limit === undefined ? inner : [],
    covered,
  }
}

async function endProblem(source: RandomAccess): Promise<Reason | undefined> {
  if (pdfHeaderAt(await bytesAt(source, 0, 128)) === undefined) return detailOf('detail.noHeader')
  const tail = latin1(await bytesAt(source, Math.max(0, source.sizeBytes - TAIL_BYTES), TAIL_BYTES))
  if (!tail.includes('%%EOF')) return detailOf('detail.noEnd')
  return /startxref\s{1,8}\d/.test(tail) ? undefined : detailOf('detail.noTable')
}

/** In windows that overlap by the longest dictionary that is read. */
async function scanFile(source: RandomAccess, scan: Scan): Promise<void> {
  let [text, offset, read] = ['', 0, 0]
  for await (const bytes of chunks(source)) {
    text += latin1(bytes)
    read += bytes.length
    const isLast = read >= source.sizeBytes
    const end = isLast ? text.length : Math.max(0, text.length - MAX_DICTIONARY)
    scanText(text, end, scan)
    scanStreams(text, end, offset, scan)
    text = text.slice(Math.max(0, end - MAX_DICTIONARY))
    offset = read - text.length
  }
}

const MAX_OPENED = 10

/** Whether one of these objects is a link. They may be anywhere in the file. */
async function opensLink(source: RandomAccess, opened: ReadonlySet<number>): Promise<boolean> {
  if (opened.size === 0) return false
  let text = ''
  for await (const bytes of chunks(source)) {
    text = text.slice(-1024) + latin1(bytes)
    for (const number of opened)
      for (let at = text.indexOf(`${number} 0 obj`), left = MAX_OPENED; at !== -1 && left > 0; left--) {
        if (URI_ACTION.test(text.slice(at, at + 500).split('endobj', 1)[0] ?? '')) return true
        at = text.indexOf(`${number} 0 obj`, at + 1)
      }
  }
  return false
}

/** What is searched for is shorter than the overlap, so it does not matter that this is seen twice. */
function scanText(text: string, end: number, scan: Scan): void {
  findActive(text, scan.active)
  for (const { 0: start, 1: number, index } of text.matchAll(OPENS)) {
    if (number !== undefined && scan.opens.size < MAX_OPENED) scan.opens.add(Number(number))
    else if (URI_ACTION.test(text.slice(index, index + start.length + 300)))
      scan.active.add('detail.pdf.opensLink')
  }
  let [from, files] = [0, 0]
  for (const { 1: contents = '', index } of text.matchAll(EMBEDDED)) {
    if (++files > 10 * MAX_ATTACHMENTS) {
      scan.hasMore = true
      break
    }
    const before = Math.min(index - from, 300)
    const around = text.slice(index - before, index + 300)
    from = index
    const closed = around.indexOf('endobj', before)
    const object = around.slice(
      around.slice(0, before).lastIndexOf('obj') + 3,
      closed === -1 ? undefined : closed,
    )
    const names = [...object.matchAll(FILE_NAME)].map(({ 0: key, index: at }) =>
      baseName(pdfTextAt(object, at + key.length)),
    )
    const name = names.find((one) => executableName(one, false) !== undefined) ?? names[0] ?? ''
    for (const [, number] of contents.matchAll(/(\d{1,10})\s+\d{1,5}\s+R/g))
      if (scan.attached.size < MAX_ATTACHMENTS * 10) scan.attached.set(Number(number), name)
  }
  let trailers = 0
  for (let at = text.indexOf('trailer'); at !== -1 && at < end; at = text.indexOf('trailer', at + 7)) {
    if (++trailers > MAX_TRAILERS) break
    takeTrailer(text.slice(at, at + 4096).split('startxref', 1)[0] ?? '', scan)
  }
}

function findActive(text: string, active: Set<PlainDetail>): void {
  const take = (name: string): void => {
    const found = ACTIVE.get(name)
    if (found !== undefined) active.add(found)
  }
  for (const [, name = ''] of text.matchAll(NAME)) take(name)
  if (!text.includes('#')) return
  for (const [name] of text.matchAll(ESCAPED_NAME)) take(nameWithoutEscapes(name).slice(1))
}

/** More revisions than any file has. */
const MAX_TRAILERS = 1000

function takeTrailer(text: string, scan: Scan): void {
  const dictionary = nameWithoutEscapes(text)
  const own = dictionary
    .replace(/^[^<]*<</, '')
    .replaceAll(STRINGS, '')
    .replaceAll(/<<[^<>]*>>/g, '<<>>')
  if (ENCRYPT.test(own) && scan.encryption.length < 100) scan.encryption.push(dictionary)
}

const BLANK = /[\0\s]/

function scanStreams(text: string, end: number, offset: number, scan: Scan): void {
  let from = 0
  for (let at = text.indexOf('stream'); at !== -1 && at < end; at = text.indexOf('stream', at + 6)) {
    if (text[at - 1] === 'd' && text.startsWith('end', at - 3)) continue
    let before = at - 1
    while (before > at - 64 && BLANK.test(text[before] ?? 'x')) before--
    if (text[before] !== '>') continue
    const around = text.slice(Math.max(from, before - MAX_DICTIONARY), before + 1)
    from = at
    const start = around.lastIndexOf('obj')
    const number = /(\d{1,10})\s{1,16}\d{1,5}\s{0,16}$/.exec(
      around.slice(Math.max(0, start - 40), Math.max(0, start)),
    )?.[1]
    const dictionary = nameWithoutEscapes(around.slice(start + 3))
    if (/\/XRef(?![A-Za-z])/.test(dictionary)) {
      takeTrailer(dictionary, scan)
      continue
    }
    const dataAt =
      at + 6 + (text[at + 6] === '\r' ? (text[at + 7] === '\n' ? 2 : 1) : text[at + 6] === '\n' ? 1 : 0)
    if (isSeen(scan, offset + dataAt)) continue
    if (scan.streams.length >= MAX_STREAMS) scan.hasMore = true
    else
      scan.streams.push({
        number: Number(number ?? -1),
        at: offset + dataAt,
        filters: filtersIn(dictionary),
        kind: /\/EmbeddedFile(?![A-Za-z])/.test(dictionary)
          ? 'attachment'
          : /\/Subtype[\0\s]{0,16}\/Image(?![A-Za-z])/.test(dictionary)
            ? 'image'
            : 'other',
      })
  }
}

/** Windows overlap. */
const isSeen = ({ streams }: Scan, at: number): boolean => (streams.at(-1)?.at ?? -1) >= at

/** Undefined if they are in another object. */
function filtersIn(dictionary: string): readonly string[] | undefined {
  const value = FILTER.exec(dictionary)?.[1]
  if (value === undefined) return []
  return /^\d/.test(value) ? undefined : (value.match(/[A-Za-z0-9]+/g) ?? [])
}

async function readStreams(
  source: RandomAccess,
  { streams, attached, active }: Scan,
  inner: InnerFile[],
  covered: Covered[],
  { budget }: ExamineContext,
): Promise<readonly Finding[]> {
  const findings = new Map<string, Finding>()
  const secrets = new SecretFinder()
  let left = MAX_INFLATED_BYTES + MAX_RATIO * source.sizeBytes
  for (const { number, at, filters, kind } of streams) {
    const isAttachment = kind === 'attachment' || attached.has(number)
    if (kind === 'image' && !isAttachment && filters?.every((name) => IMAGE_FILTERS.has(name)) === true)
      continue
    const [filter, ...more] = filters ?? []
    const isPlain = filters !== undefined && filter === undefined
    const isFlate =
      (filters === undefined || filter === 'FlateDecode' || filter === 'Fl') && more.length === 0
    if (isPlain && !isAttachment) continue
    const raw = await streamBytes(source, at, isPlain)
    const { bytes, isComplete } = isPlain
      ? { bytes: raw, isComplete: true }
      : isFlate
        ? inflate(raw, Math.min(left, MAX_STREAM_BYTES))
        : NONE
    left -= bytes.length
    if (left <= 0 || !budget.takeWork(raw.length + bytes.length)) {
      findings.set('work', { code: 'not_examined_in_time', detail: detailOf('detail.streamsTooLarge') })
      break
    }
    if (!isComplete || (!isFlate && !isPlain))
      findings.set('filter', {
        code: 'partly_examined',
        detail: isFlate
          ? detailOf('detail.streamDamaged')
          : detailOf('detail.streamFilter', { filter: filters?.join(' ').slice(0, 60) ?? '' }),
      })
    if (isAttachment && isPlain) covered.push({ from: at, to: at + raw.length })
    if (isAttachment && inner.length < MAX_ATTACHMENTS)
      inner.push(bytesFile(attached.get(number) || `attachment ${inner.length + 1}`, 'attachment', bytes))
    else if (isAttachment)
      findings.set('attachments', {
        code: 'partly_examined',
        detail: detailOf('detail.firstAttachments', { count: MAX_ATTACHMENTS }),
      })
    if (isAttachment) continue
    const program = programInside(bytes)
    if (program !== undefined)
      findings.set('program', { code: 'executable_content', detail: detailOf(program.what) })
    const text = latin1(bytes)
    findActive(text, active)
    if (/T[jJ]/.test(text)) secrets.push(new TextEncoder().encode(shownText(text)))
  }
  return [...findings.values(), ...secrets.end(undefined).filter(({ code }) => code !== 'macros')]
}

const NONE = { bytes: new Uint8Array(0), isComplete: false }

/** Up to `endstream`: the length in the dictionary may be wrong. */
async function streamBytes(source: RandomAccess, at: number, isPlain: boolean): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for (let size = 4096; length < MAX_STREAM_BYTES; size = Math.min(1024 * 1024, size * 4)) {
    const part = await bytesAt(source, at + length, size)
    const tail = parts.at(-1)?.subarray(-8) ?? NONE.bytes
    const found = findBytes(joined([tail, part]), END_OF_STREAM)
    if (found !== -1) {
      const end = length + found - tail.length
      const all = joined([...parts, part]).subarray(0, end)
      return isPlain
        ? all.subarray(0, all.at(-1) === 0x0a ? (all.at(-2) === 0x0d ? -2 : -1) : all.length)
        : all
    }
    parts.push(part)
    length += part.length
    if (part.length < size) break
  }
  return joined(parts)
}

const END_OF_STREAM = new TextEncoder().encode('endstream')
/** Strings that are shown, and what ends a line. */
const SHOWN = /\((?:[^()\\]|\\[^])*\)|T[dDm*]|ET|'/g

/** The text that a page shows, as far as its fonts have the usual letters. */
function shownText(content: string): string {
  let text = ''
  for (const token of content.match(SHOWN) ?? [])
    if (!token.startsWith('(')) text += '\n'
    else text += token.includes('\\') ? pdfTextAt(token, 0) : token.slice(1, -1)
  return `${text}\n`
}

const nameWithoutEscapes = (text: string): string =>
  text.includes('#')
    ? text.replaceAll(/#([\dA-Fa-f]{2})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

const baseName = (path: string): string => path.split(/[/\\:]/).at(-1) ?? ''

const decoder = new TextDecoder('latin1')
const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes)

interface Inflated {
  readonly bytes: Uint8Array
  /** False if the data is damaged or cut off, or the limit was reached. */
  readonly isComplete: boolean
}

const STEP_BYTES = 8192

/** Inflates zlib or raw deflate data (RFC 1950, 1951) up to a limit, or as far as it can be read: readers show that. */
function inflate(data: Uint8Array, limitBytes: number): Inflated {
  const parts: Uint8Array[] = []
  const state = { length: 0, isEnded: false }
  const take = (part: Uint8Array, isLast: boolean): void => {
    parts.push(part)
    state.length += part.length
    state.isEnded ||= isLast
  }
  const stream = isZlib(data) ? new Unzlib(take) : new Inflate(take)
  try {
    for (let at = 0; at < data.length && state.length < limitBytes && !state.isEnded; at += STEP_BYTES)
      stream.push(data.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= data.length)
  } catch {
    // What is before the damage counts.
  }
  const isComplete = state.isEnded && state.length <= limitBytes
  return { bytes: joined(parts).subarray(0, limitBytes), isComplete }
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}
