import { SaxesParser } from 'saxes'
import { utf16Encoding } from '../detect/text-encoding.ts'
import { XML_FILE_BYTES } from '../limits.ts'
import { copyOf, joined } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import { ActiveXml } from './active-xml.ts'
import { isUtf16, type StartTextCheck, type TextCheck, type TextReport, tooLarge } from './text-check.ts'
import { XmlSkimmer } from './xml-skim.ts'

const MAX_DEPTH = 1000
const MAX_ATTRIBUTES = 1000

/** Parses XML, unless too much of it needs the slow parser, and finds what runs or fetches something. */
export const startXmlCheck: StartTextCheck = (file) => withActive('xml', startSyntaxCheck(file))

/** An SVG image is XML that can contain scripts. */
export const startSvgCheck: StartTextCheck = (file) => withActive('svg', startSyntaxCheck(file))

const startSyntaxCheck: StartTextCheck = ({ sizeBytes, takeParsing }) => {
  if (takeParsing(Math.min(sizeBytes, STEP_BYTES))) return new XmlSyntax(takeParsing)
  return { end: () => tooLarge('XML', '16 MB', '64 MB') }
}

function withActive(markup: Markup, xml: TextCheck): TextCheck {
  const active = new ActiveXml()
  return {
    markup,
    push(bytes, utf8 = bytes) {
      xml.push?.(bytes, utf8)
      active.push(utf8)
    },
    end(text) {
      const { findings, notes } = xml.end(text)
      const { parts } = active
      const all = [...findings, ...active.findings]
      if (parts.length === 0 || !isUtf16(text.encoding)) return { findings: all, notes, parts }
      // Parts are found by their offset, which is another in UTF-8.
      const macro = parts.find(({ name }) => /vbaProject/i.test(name))
      const detail = `${(macro ?? parts[0])?.name} was not examined`
      return {
        findings: [...all, { code: macro === undefined ? 'partly_examined' : 'macros', detail }],
        notes,
      }
    },
  }
}

/**
 * Checks that XML is well-formed. Expands no entities and fetches nothing. The plain content of elements is only skimmed; the
 * parser reads everything else.
 */
class XmlSyntax implements TextCheck {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  readonly #skimmer = new XmlSkimmer()
  readonly #takeParsing: (bytes: number) => boolean
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #finding: Finding | undefined
  readonly #notes: string[] = []
  #depth = 0
  #attributes = 0
  #unreadable = false
  #isTooLarge = false
  #declaresHarmful = false
  #expanded = 0
  /** The start of markup that goes on in the next bytes. */
  #carried: Uint8Array = new Uint8Array(0)
  #isSkimming = false
  /** Whether a tag ended in what was parsed last. */
  #tagEnded = false
  /** How much is parsed before the next attempt to skim. */
  #stretch = 0
  #parsedBytes = 0
  #reservedBytes = STEP_BYTES

  constructor(takeParsing: (bytes: number) => boolean) {
    this.#takeParsing = takeParsing
    this.#parser.on('error', (error) => this.#error(error.message))
    this.#parser.on('doctype', (doctype) => this.#doctype(doctype))
    this.#parser.on('opentagstart', () => {
      this.#attributes = 0
      if (++this.#depth > MAX_DEPTH) this.#fail(`elements are nested deeper than ${MAX_DEPTH}`)
    })
    this.#parser.on('attribute', () => {
      if (++this.#attributes > MAX_ATTRIBUTES)
        this.#fail(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    })
    this.#parser.on('opentag', () => void (this.#tagEnded = true))
    this.#parser.on('closetag', () => {
      this.#depth--
      this.#tagEnded = true
    })
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return
    if (this.#decoder === undefined && !this.#chooseDecoder(bytes)) return
    this.#guarded(() => {
      const all = this.#carried.length === 0 ? bytes : joined(this.#carried, bytes)
      this.#carried = NONE
      let at = 0
      while (at < all.length && !this.#isOver)
        at = this.#isSkimming ? this.#skim(all, at) : this.#parse(all, at)
    })
  }

  end(): TextReport {
    if (!this.#isOver)
      this.#guarded(() => {
        if (this.#isSkimming) this.#leave(0)
        this.#write(this.#carried)
        this.#parser.close()
      })
    if (this.#isTooLarge && this.#finding === undefined) return tooLarge('XML', '16 MB', '64 MB')
    return { findings: this.#finding === undefined ? [] : [this.#finding], notes: this.#notes }
  }

  get #isOver(): boolean {
    return this.#finding !== undefined || this.#unreadable || this.#isTooLarge
  }

  /** Returns where the parser goes on, or the end. */
  #skim(bytes: Uint8Array, from: number): number {
    const skimmer = this.#skimmer
    const at = skimmer.skim(bytes, from, MAX_DEPTH - this.#depth)
    const isLong = bytes.length - at > STEP_BYTES
    if (skimmer.isPlain && !isLong) {
      this.#carried = copyOf(bytes.subarray(at))
      skimmer.moveTo(at)
      return bytes.length
    }
    // Where little is plain, attempts would cost more than they save.
    this.#stretch = at - from > this.#stretch ? 0 : Math.min(STEP_BYTES, 2 * this.#stretch + 64)
    this.#leave(at)
    return at
  }

  /** Tells the parser which elements were opened, and where it is. */
  #leave(at: number): void {
    const { line } = this.#skimmer
    const column = this.#skimmer.columnAt(at)
    this.#isSkimming = false
    this.#parser.write(this.#skimmer.takeOpen())
    this.#parser.line = line
    this.#parser.column = column
  }

  /** Returns where skimming goes on, or the end: after a tag, inside of an element. */
  #parse(bytes: Uint8Array, from: number): number {
    const found = bytes.indexOf(GREATER, from + this.#stretch)
    const end = found === -1 ? bytes.length : found + 1
    const last = Math.max(from, end < 2 ? 0 : bytes.lastIndexOf(GREATER, end - 2) + 1)
    this.#write(bytes.subarray(from, last))
    this.#tagEnded = false
    this.#write(bytes.subarray(last, end))
    const { line, column, xmlDecl } = this.#parser
    if (
      this.#tagEnded &&
      this.#depth > 0 &&
      this.#decoder?.encoding === 'utf-8' &&
      xmlDecl.version !== '1.1'
    ) {
      this.#isSkimming = true
      this.#skimmer.begin(end === bytes.length ? 0 : end, line, column)
    }
    return end
  }

  /** In small steps, to stop soon after the first error. */
  #write(bytes: Uint8Array): void {
    this.#parsedBytes += bytes.length
    while (this.#parsedBytes > this.#reservedBytes) {
      if (this.#reservedBytes >= XML_FILE_BYTES || !this.#takeParsing(STEP_BYTES)) {
        this.#isTooLarge = true
        return
      }
      this.#reservedBytes += STEP_BYTES
    }
    for (let at = 0; at < bytes.length && this.#finding === undefined; at += STEP_BYTES) {
      const text = this.#decoder?.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }) ?? ''
      this.#parser.write(text)
    }
  }

  #chooseDecoder(first: Uint8Array): boolean {
    const label = utf16Encoding(first) ?? declaredEncoding(first) ?? 'utf-8'
    // A declaration that is readable byte by byte is not in UTF-16.
    if (utf16Encoding(first) === undefined && /^utf-?16/i.test(label)) {
      this.#finding = { code: 'malformed_xml', detail: `it declares ${label} but is not` }
      return false
    }
    try {
      this.#decoder = new TextDecoder(label, { fatal: true })
      return true
    } catch {
      this.#notes.push(`not parsed: the encoding ${label} is unknown`)
      this.#unreadable = true
      return false
    }
  }

  #doctype(doctype: string): void {
    const { literals, harmful } = entitiesIn(doctype.replaceAll(/<!--[^]*?-->/g, ' '))
    this.#declaresHarmful = harmful > 0
    for (const [name, length] of literals)
      Object.defineProperty(this.#parser.ENTITIES, name, { get: () => this.#expand(length) })
    // Parameter entities take effect where they are declared.
    if (/<!ENTITY[^]*%[\w.:-]{1,100};/.test(doctype)) this.#finding ??= { code: 'xml_entities' }
    if (/\b(?:SYSTEM|PUBLIC)\b/.test(doctype.slice(0, 500)))
      this.#notes.push('references an external document type, which was not loaded')
  }

  /** The text of an entity is not needed, only its length. */
  #expand(length: number): string {
    this.#expanded += length + 1
    if (this.#expanded > MAX_EXPANDED) this.#finding ??= { code: 'xml_entities' }
    return ''
  }

  /** The parser does not know entities that are not harmless. */
  #error(message: string): void {
    if (this.#declaresHarmful && message.includes('undefined entity'))
      this.#finding ??= { code: 'xml_entities' }
    else this.#fail(`at ${message}`)
  }

  #guarded(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : 'it cannot be parsed')
    }
  }

  #fail(detail: string): void {
    this.#finding ??= { code: 'malformed_xml', detail: detail.slice(0, 200) }
  }
}

const STEP_BYTES = 64 * 1024
const GREATER = 0x3e
const NONE = new Uint8Array(0)
/** Characters that harmless entities may add to a document. */
const MAX_EXPANDED = 20_000_000
const MAX_ENTITY_LENGTH = 1000

/** Literals are short texts without references and markup. Files that are not XML (NDATA) are only named. */
function entitiesIn(doctype: string): {
  readonly literals: ReadonlyMap<string, number>
  readonly harmful: number
} {
  const literals = new Map<string, number>()
  let harmful = doctype.split('<!ENTITY').length - 1
  for (const [, name = '', quoted, kind] of doctype.matchAll(DECLARATION)) {
    const text = quoted?.slice(1, -1)
    const isLiteral = text !== undefined && text.length <= MAX_ENTITY_LENGTH && !MARKUP.test(text)
    if (isLiteral || kind !== undefined) harmful--
    // The first declaration of a name holds.
    if (isLiteral && !literals.has(name)) literals.set(name, text.length)
  }
  return harmful === 0 ? { literals, harmful } : { literals: new Map(), harmful }
}

const DECLARATION =
  /<!ENTITY\s+([\w.:-]{1,100})\s+(?:("[^"]*"|'[^']*')|(?:SYSTEM|PUBLIC)(?:\s+"[^"]*"|\s+'[^']*'){1,2}\s+(NDATA)\s+[\w.:-]{1,100})\s*>/g
/** References to entities, and characters that become markup where the entity is used. */
const MARKUP = /[<%]|&(?!#)|&#0*(?:38|60);|&#x0*(?:26|3c);/i

/** The encoding that an XML declaration names. */
export function declaredEncoding(first: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(first.subarray(0, 200))
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(start)?.[1]
}
