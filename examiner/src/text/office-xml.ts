import { type Reason } from '@kitseal/kit/internal'
import { type Finding, detailOf, detailsOf, type PlainDetail } from '../rules.ts'
import type { StartTextCheck, TextCheck, TextReport } from './text-check.ts'

/** Longer than a tag that is of interest. */
const OVERLAP = 16 * 1024
const STEP_LENGTH = 512 * 1024
const MAX_FOUND = 20
const MAX_FIELD_LENGTH = 4096

/** What fetches or runs something: a literal that is searched for first, in which family of documents, and how it looks. */
const SIGNS: readonly (readonly [family: string, literal: string, pattern: RegExp, detail: PlainDetail])[] = [
  ['xlsx', 'ddeLink', /<(?:[\w.-]{1,40}:)?ddeLink\b/, 'detail.linksDde'],
  ['xlsx', 'WEBSERVICE(', /^<(?:[\w.-]{1,40}:)?f[\s>][^]*WEBSERVICE\(/, 'detail.formulaLoads'],
  ['xlsx', 'webPr ', /<(?:[\w.-]{1,40}:)?webPr\b[^>]*\burl=/, 'detail.webData'],
  ['pptx', 'ppaction:', /ppaction:\/\/(?:program|macro|ole)/, 'detail.clickStarts'],
  ['odf', ':dde-', /<(?:text|table|office):dde-(?:source|link|connection)/, 'detail.linksDde'],
  ['odf', 'sun.star.script:', /vnd\.sun\.star\.script:/, 'detail.eventRuns'],
  [
    'odf',
    'meta:template',
    /<meta:template\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:\/\/[^/]|\/\/|\\\\)/,
    'detail.templateRemote',
  ],
  [
    'odf',
    'section-source',
    /<text:section-source\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:)/,
    'detail.loadsDocument',
  ],
]
const FAMILIES = new Set(SIGNS.map(([family]) => family))

/** For a part of a document. Only what its family has is searched for. */
export function officeXmlCheck(type: string, part: string): StartTextCheck | undefined {
  if (!/\.(?:xml|rels|vml)$/i.test(part)) return undefined
  return () => new OfficeXmlCheck(type, /\.rels$/i.test(part))
}

/** Fields of Word: their parts, and the text of an instruction up to the next tag. */
const FIELDS =
  /<(?:[\w.-]{1,40}:)?(?:(fldChar)\b|(?:i|delI)nstrText\b[^<>]{0,512}>([^<]{0,4096})|(fldSimple)\b([^<>]{0,4096}))/g
/** What is left out between the runs of an instruction. */
const IGNORED = /<!\[CDATA\[|\]\]>|<!--(?:(?!<!--)[^]){0,1000}?-->/g

/** Searches the XML of an Office file for what fetches or runs something. Parses nothing else. */
export class OfficeXmlCheck implements TextCheck {
  readonly readsUtf8 = true
  readonly #decoder = new TextDecoder()
  #waiting = ''
  readonly #found = new Map<string, Reason>()
  /** The instruction of the open field, which may be split into several runs. */
  #field = ''
  readonly #signs: typeof SIGNS
  readonly #hasFields: boolean
  readonly #hasRelations: boolean
  #isStart = true
  #hasMacros = false

  constructor(type = 'any', hasRelations = true) {
    const family = type.startsWith('od') ? 'odf' : type
    const isAny = !FAMILIES.has(family) && type !== 'docx'
    this.#signs = SIGNS.filter(([own]) => isAny || own === family)
    this.#hasFields = isAny || type === 'docx'
    this.#hasRelations = isAny || hasRelations
  }

  /** Read in large steps: parts are unpacked in small ones. */
  push(bytes: Uint8Array): void {
    this.#waiting += this.#decoder.decode(bytes, { stream: true })
    if (this.#waiting.length < STEP_LENGTH) return
    // Tags that go on in the next bytes are read then.
    const end = Math.max(this.#waiting.length - OVERLAP, this.#waiting.lastIndexOf('<'))
    this.#read(this.#waiting.slice(0, end))
    this.#waiting = this.#waiting.slice(end)
  }

  end(): TextReport {
    this.#read(this.#waiting)
    this.#endField(this.#field)
    const detail = detailsOf([...this.#found.values()].slice(0, 5))
    const findings: Finding[] = []
    if (this.#hasMacros) findings.push({ code: 'macros', detail: detailOf('detail.macroRelation') })
    if (detail !== undefined) findings.push({ code: 'active_content', detail })
    return { findings }
  }

  #read(text: string): void {
    // Declarations are before the first element.
    if (this.#isStart && text.includes('<!ENTITY')) this.#take(detailOf('detail.declaresEntities'))
    this.#isStart = false
    for (const [, literal, pattern, detail] of this.#signs)
      for (const piece of piecesWith(text, literal))
        if (pattern.test(piece)) {
          this.#take(detailOf(detail))
          break
        }
    if (this.#hasRelations) this.#readRelations(text)
    if (this.#hasFields) this.#readFields(text.includes('<!') ? text.replaceAll(IGNORED, '') : text)
  }

  #take(detail: Reason): void {
    this.#found.set(detail.text, detail)
  }

  #readRelations(text: string): void {
    for (const tag of piecesWith(text, 'Relationship ')) {
      const type = attributeOf(tag, 'Type').replace(/^.*\//, '')
      if (MACROS.test(type)) this.#hasMacros = true
      if (attributeOf(tag, 'TargetMode') !== 'External') continue
      const target = attributeOf(tag, 'Target')
      if (type !== 'hyperlink') this.#take(detailOf('detail.loadsElsewhere', { relation: type.slice(0, 60) }))
      else if (!HARMLESS_LINK.test(target))
        this.#take(detailOf('detail.linkOpens', { scheme: target.split(':', 1)[0]?.slice(0, 30) ?? '' }))
      if (this.#found.size > MAX_FOUND) return
    }
  }

  #readFields(text: string): void {
    for (const [, mark, run = '', simple, attributes = ''] of text.matchAll(FIELDS)) {
      if (simple !== undefined) this.#endField(attributeOf(attributes, 'instr'))
      else if (mark === undefined) this.#field = (this.#field + run).slice(0, MAX_FIELD_LENGTH)
      else {
        this.#endField(this.#field)
        this.#field = ''
      }
    }
  }

  #endField(instruction: string): void {
    if (instruction === '') return
    const text = decoded(instruction)
    if (/^[\s"]*DDE(?:AUTO)?\b/i.test(text)) this.#take(detailOf('detail.fieldStarts'))
    else if (FETCHING_FIELD.test(text)) this.#take(detailOf('detail.fieldLoads'))
  }
}

const MAX_PIECE = 8192

/** What is from the start of a tag with this text to the next tag. No part of the text is in two of them. */
function* piecesWith(text: string, literal: string): Generator<string> {
  for (let at = text.indexOf(literal); at !== -1;) {
    const start = Math.max(0, at - 256)
    const before = text.slice(start, at).lastIndexOf('<')
    const next = text.slice(at, at + MAX_PIECE).indexOf('<')
    const end = at + (next === -1 ? MAX_PIECE : next)
    yield text.slice(before === -1 ? at : start + before, end)
    at = text.indexOf(literal, Math.max(end, at + literal.length))
  }
}

const attributeOf = (tag: string, name: string): string => {
  let pattern = ATTRIBUTES.get(name)
  if (pattern === undefined) {
    pattern = new RegExp(String.raw`[\s:]${name}\s{0,20}=\s{0,20}(?:"([^"]*)|'([^']*))`)
    ATTRIBUTES.set(name, pattern)
  }
  const [, quoted, apostrophed] = pattern.exec(tag) ?? []
  return decoded(quoted ?? apostrophed ?? '')
}
const ATTRIBUTES = new Map<string, RegExp>()
const FETCHING_FIELD = /^\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^]*?(?:https?:|ftp:|file:|\\\\)/i
const MACROS = /^(?:vbaProject|xlMacrosheet|xlIntlMacrosheet)$/i
const HARMLESS_LINK = /^(?:https?:|mailto:|tel:|ftps?:|sip:|callto:|#|$|[^:\\]*$)/i

/** Without the references of XML. */
function decoded(text: string): string {
  return text
    .replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(
        Math.min(0x10ffff, hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      ),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
