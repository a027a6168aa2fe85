import { hex, type Host } from '@kitseal/kit'
import { endingOf } from '../detect/file-endings.ts'
import { BytesFinder, eicarString } from '../detect/find-bytes.ts'
import { utf16Encoding, TextDetector } from '../detect/text-encoding.ts'
import { type ContentFormat, detectContent, type FileType, typesOfEnding } from '../file-types.ts'
import { type Now, timeFor } from '../deadline.ts'
import { HEAD_BYTES, SMALL_BYTES } from '../limits.ts'
import { type OutputReader, startRecognising } from '../recognise/recognise.ts'
import { isSecretScanner, type RecognisedOutput } from '../recognise/recognised-output.ts'
import type { Finding } from '../rules.ts'
import { sylkMacros } from '../text/active-text.ts'
import { sniffedCheck, startsLikeXml } from '../text/sniffed-check.ts'
import { SecretFinder } from '../secrets/find-secrets.ts'
import { isUtf16, type StartTextCheck, type TextCheck, type TextPart } from '../text/text-check.ts'

export interface ContentToRead {
  readonly name: string
  readonly sizeBytes: number
  readonly checksums: 'none' | 'crc32' | 'sha256 and crc32'
  /** Reserves work for a slow parser. */
  readonly takeParsing: (bytes: number) => boolean
  /** Reserves work for reading the output of known tools. Without it, none is recognised. */
  readonly takeRecognising?: ((bytes: number) => boolean) | undefined
  /** For the time that a parser has. */
  readonly now?: Now | undefined
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
  readonly markersAt: readonly number[]
  /** A text without characters that only binary content has. */
  readonly isCleanText: boolean
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** Files inside of a text, to examine next. */
  readonly parts: readonly TextPart[]
  /** What a file says about itself. */
  readonly recognised: RecognisedOutput | undefined
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
  #markers: BytesFinder | undefined
  #secrets: SecretFinder | undefined
  #output: OutputReader | undefined
  #parsedMs = 0
  #isOutOfTime = false

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
    const { isText, findings, notes, parts } = this.#endText(head, whole)
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
      markersAt: this.#markers?.at ?? [],
      isCleanText: isText && this.#text?.hasControls === false,
      findings: [
        ...(hasEicar ? [{ code: 'test_virus' } as const] : []),
        ...(isSecretScanner(recognised) ? findings.map(quoted) : findings),
      ],
      notes,
      parts,
      recognised,
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
    this.#markers = this.#format.findMarkers?.()
    if (this.#format.content !== 'text') return
    this.#text = new TextDetector()
    const ownType = 'id' in this.#format ? (this.#format as FileType) : this.#namedType
    const start = this.#file.checkText ?? ownType?.checkText
    const isOffice = ownType !== undefined && ownType.content !== 'text'
    const isSniffed = start === undefined && ownType?.isCode !== true
    const sniffed = isSniffed ? sniffedCheck(this.#firstKept(this.#keptBytes), isOffice) : undefined
    this.#check = (start ?? sniffed)?.(this.#file)
    this.#secrets = new SecretFinder(this.#check?.markup)
    const { sizeBytes, takeRecognising } = this.#file
    if (takeRecognising !== undefined)
      this.#output = startRecognising(this.#firstKept(HEAD_BYTES), sizeBytes, takeRecognising)
  }

  #read(bytes: Uint8Array): void {
    this.#markers?.push(bytes)
    if (bytes.length === 0 || this.#text === undefined) return
    this.#text.push(bytes)
    if (this.#text.isBinary && !this.#hasOwnCheck) return
    this.#output?.push(bytes)
    // UTF-16 is converted once, for those who need it.
    const utf8 = this.#asUtf8(bytes)
    this.#secrets?.push(utf8)
    if (this.#check?.push !== undefined) this.#parse(this.#check.readsUtf8 === true ? utf8 : bytes, utf8)
  }

  /** A parser that takes too long is stopped: the file is still read as a text. */
  #parse(bytes: Uint8Array, utf8: Uint8Array): void {
    const { now = Date.now, sizeBytes } = this.#file
    const began = now()
    this.#check?.push?.(bytes, utf8)
    this.#parsedMs += now() - began
    if (this.#parsedMs <= timeFor(sizeBytes)) return
    this.#check = undefined
    this.#isOutOfTime = true
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

  #endText(head: Uint8Array, whole: Uint8Array | undefined) {
    const isNamedText = this.#namedType?.content === 'text' || this.#hasOwnCheck
    const encoding = this.#text?.end(isNamedText) ?? (this.#hasOwnCheck ? '8-bit' : undefined)
    if (encoding === undefined) return { isText: false, findings: [], notes: [], parts: [] }
    const isSettings = SETTINGS.has(this.#namedType?.id ?? '')
    const secrets = this.#secrets?.end(isSettings ? whole : undefined) ?? []
    const hasActive = secrets.some(({ code }) => code === 'active_content')
    const report = this.#check?.end({ encoding, head, whole, hasActive })
    // A sentence about macros is none.
    const isDocument = this.#check?.readsBinary === true || startsLikeXml(head)
    const found = secrets.filter(({ code }) => code !== 'macros' || isDocument)
    const findings: Finding[] = [...(report?.findings ?? []), ...found, ...sylkMacros(head)]
    if (this.#isOutOfTime) findings.push({ code: 'partly_examined', detail: 'parsing it took too long' })
    if (encoding !== 'utf-8')
      findings.push({
        code: 'text_encoding',
        detail: `it is in ${isUtf16(encoding) ? encoding.toUpperCase() : 'an 8-bit encoding'}`,
      })
    if (this.#text?.hasControls === true) findings.push({ code: 'control_characters' })
    return { isText: true, findings, notes: report?.notes ?? [], parts: report?.parts ?? [] }
  }
}

/** The type that an extension stands for: of several, the one that is a text. */
export function typeByName(name: string): FileType | undefined {
  const named = typesOfEnding(endingOf(name))
  return named.find(({ content }) => content === 'text') ?? named[0]
}

/** A scanner quotes the keys that it finds, which a person can acknowledge like other secrets. */
const quoted = (finding: Finding): Finding =>
  finding.code === 'private_key' ? { ...finding, code: 'possible_secret' } : finding
