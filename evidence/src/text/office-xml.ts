// docs/decisions/0208
import type { Finding } from '../rules.ts'
import type { StartTextCheck, TextCheck, TextReport } from './text-check.ts'

/** Longer than a tag that is of interest. */
const OVERLAP = 16 * 1024
const MAX_FIELDS = 20
const MAX_RELATIONS = 100_000
const MAX_FIELD_LENGTH = 4096

export const startOfficeXmlCheck: StartTextCheck = () => new OfficeXmlCheck()

/** What fetches or runs something, by a literal that is searched for first. */
const SIGNS: readonly (readonly [literal: string, pattern: RegExp, detail: string])[] = [
  ['<!ENTITY', /<!ENTITY/, 'it declares entities'],
  ['ddeLink', /<(?:[\w.-]+:)?ddeLink\b/, 'it links to another program (DDE)'],
  [':dde-', /<(?:text|table|office):dde-(?:source|link|connection)/, 'it links to another program (DDE)'],
  ['ppaction://', /ppaction:\/\/(?:program|macro|ole)/, 'a click starts something'],
  ['WEBSERVICE(', /<(?:[\w.-]+:)?f\b[^<]*WEBSERVICE\(/, 'a formula loads data'],
  ['webPr', /<(?:[\w.-]+:)?webPr\b[^>]*\burl=/, 'it loads data from the web'],
  ['vnd.sun.star.script:', /vnd\.sun\.star\.script:/, 'an event runs a script'],
  [
    'meta:template',
    /<meta:template\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:\/\/[^/]|\/\/|\\\\)/,
    'its template is on another computer',
  ],
  [
    'section-source',
    /<text:section-source\b[^>]*xlink:href="(?:https?:|ftp:|smb:|file:)/,
    'it loads another document',
  ],
]

/** Searches the XML of an Office file for what fetches or runs something. Parses nothing else. */
export class OfficeXmlCheck implements TextCheck {
  readonly readsUtf8 = true
  readonly #decoder = new TextDecoder()
  #carried = ''
  #relations = 0
  readonly #found = new Set<string>()
  /** The instructions of the open fields. */
  #fields: string[] = []

  push(bytes: Uint8Array): void {
    const text = this.#carried + this.#decoder.decode(bytes)
    for (const [literal, pattern, detail] of SIGNS)
      if (text.includes(literal) && pattern.test(text)) this.#found.add(detail)
    if (text.includes('Relationship ') || text.includes('Relationship\n')) this.#readRelations(text)
    // Tags that go on in the next bytes are read then.
    const end = Math.max(text.length - OVERLAP, text.lastIndexOf('<'))
    const hasFields = /instrText|fldSimple|fldChar/.test(text)
    if (hasFields) this.#readFields(text.slice(0, end))
    this.#carried = hasFields ? text.slice(end) : text.slice(-OVERLAP)
  }

  end(): TextReport {
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
