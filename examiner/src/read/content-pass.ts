import { hex, type Host, type Reason } from '@kitseal/kit/internal'
import { endingOf } from '../detect/file-endings.ts'
import { utf16Encoding, TextDetector } from '../detect/text-encoding.ts'
import {
  type ContentFormat,
  detectContent,
  type FileType,
  isSearched,
  typesOfEnding,
  TEXT,
} from '../file-types.ts'
import { FILE_PARTS, HEAD_BYTES, SMALL_BYTES } from '../limits.ts'
import {
  isSecretScanner,
  type OutputReader,
  type RecognisedOutput,
  startRecognising,
} from '../recognise/recognise.ts'
import { type Finding, detailOf } from '../rules.ts'
import { BytesFinder, eicarString } from '../search/find-bytes.ts'
import { type FoundProgram, ProgramSearch } from '../search/program-search.ts'
import { SecretFinder } from '../secrets/find-secrets.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import { sniffedCheck, startsLikeXml } from '../text/active-xml.ts'
import type { StartTextCheck, TextCheck, TextPart } from '../text/text-check.ts'
import { copyOf } from '../platform/sources.ts'

export interface ContentToRead {
  readonly name: string
  readonly sizeBytes: number
  readonly checksums: 'none' | 'crc32' | 'sha256 and crc32'
  /** Reserves work for reading the output of known tools. Without it, none is recognised. */
  readonly takeRecognising?: ((bytes: number) => boolean) | undefined
  /** Reads the text instead of the check for its extension. */
  readonly checkText?: StartTextCheck | undefined
}

/** What one pass over the content shows. */
export interface ContentFacts {
  readonly sizeBytes: number
  readonly sha256: string | undefined
  readonly crc32: number | undefined
  readonly format: ContentFormat
  /** The type that the file name extension stands for. */
  readonly namedType: FileType | undefined
  readonly head: Uint8Array
  /** The whole content of a small file. */
  readonly whole: Uint8Array | undefined
  /** A text without characters that only binary content has. */
  readonly isCleanText: boolean
  readonly findings: readonly Finding[]
  /** Files inside of a text, to examine next. */
  readonly parts: readonly TextPart[]
  /** What a file says about itself. */
  readonly recognised: RecognisedOutput | undefined
  /** A program that starts anywhere in it. */
  readonly program: FoundProgram | undefined
}

const EICAR = eicarString()
/** Types in which a password is likely to be a real one. */
const SETTINGS = new Set(['env', 'ini', 'yaml', 'json', 'toml', 'terraform', 'msbuild', 'tfstate'])
const OTHER: ContentFormat = { content: 'binary' }

/** Hashes, detects and searches a file in one pass. Keeps only small files in memory. */
export class ContentPass {
  readonly #file: ContentToRead
  readonly #host: Pick<Host, 'crc32'>
  readonly #hash: ReturnType<Host['sha256']> | undefined
  readonly #eicar = new BytesFinder(EICAR)
  #utf16Eicar: BytesFinder | undefined
  #utf16: InstanceType<typeof TextDecoder> | undefined
  readonly #namedType: FileType | undefined
  #kept: Uint8Array | undefined
  #keptBytes = 0
  #crc32 = 0
  #sizeBytes = 0
  #format: ContentFormat | undefined
  #text: TextDetector | undefined
  #check: TextCheck | undefined
  #secrets: SecretFinder | undefined
  #output: OutputReader | undefined
  #programs: ProgramSearch | undefined

  constructor(file: ContentToRead, host: Pick<Host, 'sha256' | 'crc32'>) {
    this.#file = file
    this.#host = host
    this.#hash = file.checksums === 'sha256 and crc32' ? host.sha256() : undefined
    this.#namedType = typeByName(file.name)
  }

  push(bytes: Uint8Array): void {
    const encoding = this.#sizeBytes === 0 ? utf16Encoding(bytes) : undefined
    if (encoding !== undefined) {
      this.#utf16Eicar = new BytesFinder(eicarString(encoding))
      this.#utf16 = new TextDecoder(encoding)
    }
    this.#hash?.update(bytes)
    if (this.#file.checksums !== 'none') this.#crc32 = this.#host.crc32(bytes, this.#crc32)
    this.#sizeBytes += bytes.length
    const isLast = this.#sizeBytes >= this.#file.sizeBytes
    this.#eicar.push(bytes, isLast)
    this.#utf16Eicar?.push(bytes, isLast)
    const before = this.#keptBytes
    this.#keep(bytes)
    if (this.#format !== undefined) this.#read(bytes)
    else if (this.#keptBytes >= Math.min(HEAD_BYTES, this.#file.sizeBytes)) {
      this.#begin()
      this.#read(this.#firstKept(before))
      this.#read(bytes)
    }
  }

  async end(): Promise<ContentFacts> {
    if (this.#format === undefined) {
      this.#begin()
      this.#read(this.#firstKept(this.#keptBytes))
    }
    const digest = await this.#hash?.digest()
    const head = this.#firstKept(Math.min(HEAD_BYTES, this.#keptBytes))
    const whole = this.#file.sizeBytes <= SMALL_BYTES ? this.#firstKept(this.#keptBytes) : undefined
    const { isText, findings, parts } = this.#endText(head, whole)
    const program = this.#programs?.end()
    const recognised = isText ? this.#output?.end() : undefined
    const hasEicar = this.#eicar.found || this.#utf16Eicar?.found === true
    return {
      sizeBytes: this.#sizeBytes,
      sha256: digest === undefined ? undefined : hex(digest),
      crc32: this.#file.checksums === 'none' ? undefined : this.#crc32,
      format: this.#text !== undefined && !isText ? OTHER : (this.#format ?? OTHER),
      namedType: this.#namedType,
      head,
      whole,
      isCleanText: isText && this.#text?.hasControls === false,
      findings: [
        ...(hasEicar ? [{ code: 'test_virus' } as const] : []),
        ...(this.#programs?.isIncomplete === true ? [TOO_MANY_PROGRAMS] : []),
        ...withoutSamples(findings, head, recognised),
      ],
      parts,
      recognised,
      program,
    }
  }

  /** Keeps a small file whole, and the head of a large one. */
  #keep(bytes: Uint8Array): void {
    const { sizeBytes } = this.#file
    const limit = sizeBytes <= SMALL_BYTES ? sizeBytes : HEAD_BYTES
    if (this.#keptBytes >= limit) return
    // A chunk that is the whole file stays valid. Otherwise copy: chunks are reused.
    if (bytes.length === sizeBytes && limit === sizeBytes) this.#kept = bytes
    else {
      this.#kept ??= new Uint8Array(limit)
      this.#kept.set(bytes.subarray(0, limit - this.#keptBytes), this.#keptBytes)
    }
    this.#keptBytes = Math.min(limit, this.#keptBytes + bytes.length)
  }

  #firstKept(length: number): Uint8Array {
    return this.#kept?.subarray(0, length) ?? new Uint8Array(0)
  }

  /** Detects the format, and starts the checks that run while the file is read. */
  #begin(): void {
    this.#format = detectContent(this.#firstKept(this.#keptBytes))
    if (isSearched(this.#format, this.#namedType)) this.#programs = new ProgramSearch()
    if (this.#format.content !== 'text') return
    this.#text = new TextDetector()
    const ownType = 'id' in this.#format ? (this.#format as FileType) : this.#namedType
    const start = this.#file.checkText ?? ownType?.checkText
    const isOffice = ownType !== undefined && ownType.content !== 'text'
    const isSniffed = start === undefined && ownType?.isCode !== true
    this.#check = (
      start ?? (isSniffed ? sniffedCheck(this.#firstKept(this.#keptBytes), isOffice) : undefined)
    )?.(this.#file)
    this.#secrets = new SecretFinder(this.#check?.markup ?? MARKUP_OF.get(ownType?.id ?? ''))
    const { sizeBytes, takeRecognising } = this.#file
    if (takeRecognising !== undefined)
      this.#output = startRecognising(this.#firstKept(HEAD_BYTES), sizeBytes, takeRecognising)
  }

  #read(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#programs?.push(bytes)
    if (this.#text === undefined) return
    this.#text.push(bytes)
    if (this.#text.isBinary && !this.#hasOwnCheck) return
    this.#output?.push(bytes)
    // UTF-16 is converted once, for those who need it.
    const utf8 = this.#asUtf8(bytes)
    this.#secrets?.push(utf8)
    this.#check?.push?.(this.#check.readsUtf8 === true ? utf8 : bytes)
  }

  /** RTF is recognized by its start and may contain binary data, and so may mail. */
  get #hasOwnCheck(): boolean {
    if (this.#check?.readsBinary === true) return true
    return this.#format !== undefined && 'id' in this.#format && this.#text !== undefined
  }

  #asUtf8(bytes: Uint8Array): Uint8Array {
    if (this.#utf16 === undefined) return bytes
    return new TextEncoder().encode(this.#utf16.decode(bytes, { stream: true }))
  }

  /** Files in links, which are examined like other files inside. */
  #links(): { readonly parts: readonly TextPart[]; readonly findings: readonly Finding[] } {
    const at = this.#secrets?.linksAt ?? []
    if (at.length === 0) return { parts: [], findings: [] }
    if (this.#utf16 !== undefined)
      return {
        parts: [],
        findings: [{ code: 'partly_examined', detail: detailOf('detail.linksNotExamined') }],
      }
    const parts = at.slice(0, FILE_PARTS).map((from, index) => ({
      name: `link ${index + 1}`,
      as: 'part' as const,
      encoding: 'link' as const,
      from,
      to: Math.min(this.#sizeBytes, at[index + 1] ?? this.#sizeBytes),
    }))
    const large = parts.filter(({ from, to }) => to - from > MAX_EMPTY_LINK)
    const findings: readonly Finding[] =
      at.length > FILE_PARTS
        ? [{ code: 'not_examined_in_time', detail: detailOf('detail.tooManyLinks') }]
        : []
    return { parts: large, findings }
  }

  #endText(head: Uint8Array, whole: Uint8Array | undefined) {
    const isNamedText = this.#namedType?.content === 'text' || this.#hasOwnCheck
    const encoding = this.#text?.end(isNamedText) ?? (this.#hasOwnCheck ? '8-bit' : undefined)
    if (encoding === undefined) return { isText: false, findings: [], parts: [] }
    const isSettings = SETTINGS.has(this.#namedType?.id ?? '')
    const secrets = this.#secrets?.end(isSettings ? whole : undefined) ?? []
    const links = this.#links()
    const hasActive = secrets.some(({ code }) => code === 'active_content')
    const report = this.#check?.end({ encoding, head, whole, hasActive })
    // A sentence about macros is none.
    const isDocument = this.#check?.readsBinary === true || startsLikeXml(head)
    const parts = report?.parts ?? []
    const starts = new Set(parts.map(({ from }) => from))
    const hasParts = parts.length > 0
    // Attachments are examined themselves.
    const found = secrets.filter(
      ({ code, detail }) =>
        (code !== 'macros' || isDocument) &&
        !(hasParts && (code === 'executable_content' || isKeyInBase64(detail))),
    )
    const findings: Finding[] = [
      ...(report?.findings ?? []),
      ...found,
      ...markedText(head),
      ...links.findings,
    ]
    if (this.#text?.hasControls === true) findings.push({ code: 'control_characters' })
    return {
      isText: true,
      findings,
      parts: [...parts, ...links.parts.filter(({ from }) => !starts.has(from))],
    }
  }
}

/** The type that an extension stands for: of several, the one that is a text. */
export function typeByName(name: string): FileType | undefined {
  const named = typesOfEnding(endingOf(name))
  return named.find(({ content }) => content === 'text') ?? named[0]
}

/** Nothing but a key that is encoded. */
function isKeyInBase64(detail: Finding['detail']): boolean {
  const what =
    typeof detail === 'object' && detail.key === 'detail.line' ? (detail.args['what'] as Reason) : undefined
  return what?.args['format'] === 'PEM in base64'
}
/** A link of this length holds no program. */
const MAX_EMPTY_LINK = 80
const TOO_MANY_PROGRAMS: Finding = {
  code: 'not_examined_in_time',
  detail: detailOf('detail.tooManyPrograms'),
}

/** What is searched in types without a check of their own. */
const MARKUP_OF = new Map<string, Markup>([
  ['csv', 'table'],
  ['tsv', 'table'],
  ['md', 'html'],
  ['ipynb', 'html'],
])

/** Reports of scanners that quote what they find, beside those whose output is recognised. */
const QUOTES_SECRETS =
  /"SourceMetadata"[^]{0,8000}"DetectorName"|"DetectorName"[^]{0,8000}"SourceMetadata"|\/secret-scanning\/alerts\//
/** Standards print keys as samples. */
const IS_STANDARD =
  /^\s{0,200}(?:[^\n]{0,100}\n){0,12}(?:Request for Comments: \d{1,5}|Internet-Draft|INTERNET-DRAFT)\s/

/** A person can acknowledge the keys that a scanner quotes, like other secrets. Those of a standard are public. */
function withoutSamples(
  findings: readonly Finding[],
  head: Uint8Array,
  recognised: RecognisedOutput | undefined,
): readonly Finding[] {
  if (findings.every(({ code }) => code !== 'private_key')) return findings
  const start = latin1.decode(head)
  if (IS_STANDARD.test(start)) return findings.filter(({ code }) => code !== 'private_key')
  if (!isSecretScanner(recognised) && !QUOTES_SECRETS.test(start)) return findings
  return findings.map((one) => (one.code === 'private_key' ? { ...one, code: 'possible_secret' } : one))
}

/** What a text says at its start: a SYLK spreadsheet with macros or DDE, or a signed message in PEM, which is not opened. */
function markedText(head: Uint8Array): readonly Finding[] {
  const start = latin1.decode(head)
  if (/-----BEGIN (?:PKCS7|PKCS #7 SIGNED DATA|CMS)-----|pkcs7-mime/.test(start))
    return [{ code: 'partly_examined', detail: detailOf('detail.pemNotOpened') }]
  if (!start.startsWith('ID;')) return []
  if (/^O;(?:[^;\r\n]*;)*E\b/m.test(start)) return [{ code: 'macros', detail: detailOf('detail.sylk') }]
  const isCalled = start
    .split(/[\r\n]/)
    .some((line) => line.startsWith('C;') && /;E[^;]*\|/.test(line) && line.includes('!'))
  return isCalled ? [{ code: 'active_content', detail: detailOf('detail.formulaStarts') }] : []
}

const latin1 = new TextDecoder('latin1')

/** What one pass over a plain text shows, without functions, so that a thread can post it. */
export type SentFacts = Omit<ContentFacts, 'format' | 'namedType' | 'whole'>

/** Undefined if the next steps need more than that: a structure to check, or files inside. */
export function sentFacts(facts: ContentFacts): SentFacts | undefined {
  if (facts.format !== TEXT || !facts.isCleanText || facts.parts.length > 0) return undefined
  const { format: _format, namedType: _type, whole: _whole, ...sent } = facts
  // A copy, because a view would post the whole buffer behind it.
  return { ...sent, head: copyOf(sent.head) }
}

export function receivedFacts(name: string, facts: SentFacts): ContentFacts {
  return { ...facts, format: TEXT, namedType: typeByName(name), whole: undefined }
}
