import type { Finding } from '../rules.ts'
import type { StartTextCheck, TextCheck, TextReport } from './text-check.ts'

/** Longer than a tag that is of interest. */
const OVERLAP = 16 * 1024
const STEP_LENGTH = 512 * 1024
const MAX_FIELDS = 20
const MAX_RELATIONS = 100_000
const MAX_FIELD_LENGTH = 4096

/** What fetches or runs something: a literal that is searched for first, in which family of documents, and how it looks. */
const SIGNS: readonly (readonly [family: string, literal: RegExp, pattern: RegExp, detail: string])[] = [
  ['xlsx', /ddeLink/, /<(?:[\w.-]+:)?ddeLink\b/, 'it links to another program (DDE)'],
  ['xlsx', /WEBSERVICE\(/, /<(?:[\w.-]+:)?f\b[^<]*WEBSERVICE\(/, 'a formula loads data'],
  ['xlsx', /webPr/, /<(?:[\w.-]+:)?webPr\b[^>]*\burl=/, 'it loads data from the web'],
  ['pptx', /ppaction:/, /ppaction:\/\/(?:program|macro|ole)/, 'a click starts something'],
  [
    'odf',
    /:dde-/,
    /<(?:text|table|office):dde-(?:source|link|connection)/,
    'it links to another program (DDE)',
  ],
  ['odf', /sun\.star\.script:/, /vnd\.sun\.star\.script:/, 'an event runs a script'],
  [
    'odf',
    /meta:template/,
    /<meta:template\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:\/\/[^/]|\/\/|\\\\)/,
    'its template is on another computer',
  ],
  [
    'odf',
    /section-source/,
    /<text:section-source\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:)/,
    'it loads another document',
  ],
]
const FAMILIES = new Set(SIGNS.map(([family]) => family))

/** For a part of a document. Only what its family has is searched for. */
export function officeXmlCheck(type: string, part: string): StartTextCheck | undefined {
  if (!/\.(?:xml|rels|vml)$/i.test(part)) return undefined
  return () => new OfficeXmlCheck(type, /\.rels$/i.test(part))
}

/** Searches the XML of an Office file for what fetches or runs something. Parses nothing else. */
export class OfficeXmlCheck implements TextCheck {
  readonly readsUtf8 = true
  readonly #decoder = new TextDecoder()
  #carried = ''
  #waiting = ''
  #relations = 0
  readonly #found = new Set<string>()
  /** The instructions of the open fields. */
  #fields: string[] = []
  readonly #signs: typeof SIGNS
  readonly #hasFields: boolean
  readonly #hasRelations: boolean
  #isStart = true

  constructor(type = 'any', hasRelations = true) {
    const family = type.startsWith('od') ? 'odf' : type
    const isAny = !FAMILIES.has(family) && type !== 'docx'
    this.#signs = SIGNS.filter(([own]) => isAny || own === family)
    this.#hasFields = isAny || type === 'docx'
    this.#hasRelations = isAny || hasRelations
  }

  push(bytes: Uint8Array): void {
    this.#waiting += this.#decoder.decode(bytes, { stream: true })
    if (this.#waiting.length >= STEP_LENGTH) this.#read()
  }

  /** In large steps: parts are unpacked in small ones. */
  #read(): void {
    const text = this.#carried + this.#waiting
    this.#waiting = ''
    // Declarations are before the first element.
    if (this.#isStart && /<!ENTITY/.test(text)) this.#found.add('it declares entities')
    this.#isStart = false
    for (const [, literal, pattern, detail] of this.#signs)
      if (literal.test(text) && pattern.test(text)) this.#found.add(detail)
    if (this.#hasRelations && /Relationship/.test(text)) this.#readRelations(text)
    // Tags that go on in the next bytes are read then.
    const end = Math.max(text.length - OVERLAP, text.lastIndexOf('<'))
    const hasFields =
      this.#hasFields && (this.#fields.length > 0 || /fldChar/.test(text) || /fldSimple/.test(text))
    if (hasFields) this.#readFields(text.slice(0, end))
    this.#carried = hasFields ? text.slice(end) : text.slice(-OVERLAP)
  }

  end(): TextReport {
    this.#read()
    this.#readFields(this.#carried)
    for (const field of this.#fields) this.#endField(field)
    return { findings: this.findings(), notes: [] }
  }

  findings(): readonly Finding[] {
    return this.#found.size === 0
      ? []
      : [{ code: 'active_content', detail: [...this.#found].slice(0, 5).join('; ') }]
  }

  #readRelations(text: string): void {
    for (const [tag] of text.matchAll(RELATION)) {
      if (++this.#relations > MAX_RELATIONS) return
      const attribute = (name: string): string =>
        decoded(
          new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).join('') ?? '',
        )
      if (attribute('TargetMode') !== 'External') continue
      const type = attribute('Type').replace(/^.*\//, '')
      const target = attribute('Target')
      if (type !== 'hyperlink')
        this.#found.add(`it loads ${NAMED[type] ?? 'something'} from elsewhere (${type})`)
      else if (!HARMLESS_LINK.test(target))
        this.#found.add(`a link opens ${target.split(':', 1)[0]?.slice(0, 30)}:`)
    }
  }

  /** Instructions may be split into several runs, and fields contain others. */
  #readFields(text: string): void {
    for (const [, kind, runs, simple] of text.matchAll(FIELD)) {
      if (simple !== undefined) this.#endField(simple)
      else if (kind === 'begin' && this.#fields.length < MAX_FIELDS) this.#fields.push('')
      else if (kind !== undefined) {
        this.#endField(this.#fields.at(-1) ?? '')
        if (kind === 'end') this.#fields.pop()
      } else if (runs !== undefined) {
        const all =
          (this.#fields.pop() ?? '') + runs.replaceAll(/<!\[CDATA\[|\]\]>|<!--[^]*?-->|<[^>]*>/g, '')
        this.#fields.push(all.slice(0, MAX_FIELD_LENGTH))
      }
    }
  }

  #endField(instruction: string): void {
    const text = decoded(instruction)
    if (/^[\s"]*DDE(?:AUTO)?\b/i.test(text)) this.#found.add('a field starts another program (DDE)')
    else if (FETCHING_FIELD.test(text)) this.#found.add('a field loads a file')
  }
}

const RELATION = /<(?:[\w.-]+:)?Relationship\s(?:[^>"']|"[^"]{0,2048}"|'[^']{0,2048}'){0,1000}>/g
const FIELD =
  /<(?:[\w.-]+:)?fldChar\b[^>]*?fldCharType\s*=\s*["'](\w+)|<(?:[\w.-]+:)?(?:del)?[iI]nstrText\b[^>]*>([^]{0,1024}?)<\/(?:[\w.-]+:)?(?:del)?[iI]nstrText|<(?:[\w.-]+:)?fldSimple\b[^>]*?\binstr\s*=\s*["']([^"']*)/g
const FETCHING_FIELD = /^\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^]*(?:https?:|ftp:|file:|\\\\)/i
const HARMLESS_LINK = /^(?:https?:|mailto:|tel:|ftps?:|sip:|callto:|#|$|[^:\\]*$)/i

const NAMED: Readonly<Record<string, string>> = {
  attachedTemplate: 'a template',
  oleObject: 'an object',
  frame: 'a frame',
  image: 'an image',
  externalLinkPath: 'a workbook',
  subDocument: 'a document',
  aFChunk: 'a document',
}

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
