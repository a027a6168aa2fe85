import { SaxesParser } from 'saxes'
import { byteOrderMark } from '../detect/text-encoding.ts'
import { XML_FILE_BYTES } from '../limits.ts'
import type { Finding } from '../rules.ts'
import { activeSvg } from './active-text.ts'
import { type StartTextCheck, type TextCheck, type TextReport, tooLarge } from './text-check.ts'

const MAX_DEPTH = 1000
const MAX_ATTRIBUTES = 1000

/** Parses XML, unless it is too large. */
export const startXmlCheck: StartTextCheck = ({ sizeBytes, takeParsing }) => {
  if (sizeBytes <= XML_FILE_BYTES && takeParsing(sizeBytes)) return new XmlSyntax()
  return { end: () => tooLarge('XML') }
}

/** An SVG image is XML that can contain scripts. */
export const startSvgCheck: StartTextCheck = (file) => {
  const xml = startXmlCheck(file)
  return {
    push: (bytes) => xml.push?.(bytes),
    end(text) {
      const { findings, notes } = xml.end(text)
      return { findings: [...findings, ...activeSvg(text.whole ?? text.head)], notes }
    },
  }
}

/** Checks that XML is well-formed. Expands no entities and fetches nothing. */
class XmlSyntax implements TextCheck {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #finding: Finding | undefined
  readonly #notes: string[] = []
  #depth = 0
  #attributes = 0
  #unreadable = false
  #declares = false
  #isHarmless = false
  #uses = 0

  constructor() {
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
    this.#parser.on('closetag', () => void this.#depth--)
  }

  push(bytes: Uint8Array): void {
    if (this.#finding !== undefined || this.#unreadable) return
    if (this.#decoder === undefined && !this.#chooseDecoder(bytes)) return
    this.#guarded(() => {
      // In small steps, to stop soon after the first error.
      for (let at = 0; at < bytes.length && this.#finding === undefined; at += STEP_BYTES) {
        const text = this.#decoder?.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }) ?? ''
        this.#parser.write(text)
      }
    })
  }

  end(): TextReport {
    if (this.#finding === undefined && !this.#unreadable) this.#guarded(() => void this.#parser.close())
    return { findings: this.#finding === undefined ? [] : [this.#finding], notes: this.#notes }
  }

  #chooseDecoder(first: Uint8Array): boolean {
    const label = byteOrderMark(first) ?? declaredEncoding(first) ?? 'utf-8'
    // A declaration that is readable byte by byte is not in UTF-16.
    if (byteOrderMark(first) === undefined && /^utf-?16/i.test(label)) {
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
    if (doctype.includes('<!ENTITY')) {
      this.#declares = true
      this.#isHarmless = isKnownKind(doctype) && declaresLiterals(doctype)
      // Parameter entities take effect where they are declared.
      if (/%[\w.:-]{1,100};/.test(doctype)) this.#finding ??= { code: 'xml_entities' }
    }
    if (/\b(?:SYSTEM|PUBLIC)\b/.test(doctype.slice(0, 500)))
      this.#notes.push('references an external document type, which was not loaded')
  }

  /** An entity that is declared and used is an error to the parser, which does not know it. */
  #error(message: string): void {
    const isUndefined = message.includes('undefined entity')
    if (isUndefined && this.#isHarmless && ++this.#uses <= MAX_ENTITY_USES) return
    if (isUndefined && this.#declares) this.#finding ??= { code: 'xml_entities' }
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
const MAX_ENTITY_USES = 100_000
const MAX_ENTITY_LENGTH = 200

/** Document types whose programs write entities: SVG, XHTML, DocBook, property lists and others. */
function isKnownKind(doctype: string): boolean {
  return /^\s*(?:svg|html|plist|book|article|chapter|section|refentry|set|map|topic|concept|task|reference|TEI|TEI\.2|math|rfc|smil|wml|rdf:RDF|dtbook|ncx)\b/i.test(
    doctype,
  )
}

/** Short texts without references, so that using them cannot grow much. */
function declaresLiterals(doctype: string): boolean {
  const declarations = doctype.match(/<!ENTITY\b[^>]*>/g) ?? []
  return declarations.every((one) => {
    const value = /^<!ENTITY\s+[\w.:-]{1,100}\s+(?:"([^"]*)"|'([^']*)')\s*>$/.exec(one)
    const text = value?.[1] ?? value?.[2]
    return text !== undefined && text.length <= MAX_ENTITY_LENGTH && !/[&%](?!#)/.test(text)
  })
}

function declaredEncoding(first: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(first.subarray(0, 200))
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(start)?.[1]
}
