import { utf16Encoding } from '../detect/text-encoding.ts'
import type { Finding } from '../rules.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import { EntityCheck } from './entities.ts'
import { MailCheck } from './mail.ts'
import { OfficeXmlCheck } from './office-xml.ts'
import type { StartTextCheck } from './text-check.ts'

const HEAD_LENGTH = 64 * 1024
/** Documents of Word and Excel in one XML file, and OpenDocument. */
const OFFICE =
  /schemas\.microsoft\.com\/office\/(?:2006\/xmlPackage|word\/2003|powerpoint)|urn:schemas-microsoft-com:office|opendocument:xmlns:office/
/** A style sheet, which programs load and which can contain scripts. */
const STYLE_SHEET = /<\?xml-stylesheet\b[^>]{0,500}\bhref\s*=\s*["']\s*(?:https?:|ftp:|file:|\/\/|\\\\)/i
/** Documents that are acted upon: how to recognize one, the sign to search for, and the finding. */
const ACTED_UPON: readonly (readonly [document: RegExp, sign: RegExp, finding: Finding])[] = [
  [
    /<(?:\w{1,40}:)?Project[\s>]/,
    /<(?:\w{1,40}:)?(?:Exec\s|UsingTask\b[^>]{0,500}\sTaskFactory\s{0,20}=|P(?:re|ost)(?:Build|Link)Event>\s{0,100}[^<\s])/,
    { code: 'script_content', detail: 'building it runs commands (MSBuild)' },
  ],
  [
    /schemas\.microsoft\.com\/Contact/i,
    />\s{0,100}(?:file:|[^<>/]{0,100}\\[^<>]{0,100}|[^<>]{1,100}\.(?:exe|cpl|scr|lnk|hta|dll|bat|cmd|vbs|js|msi)\s{0,100}<)/i,
    { code: 'active_content', detail: 'the contact links to a file or program' },
  ],
]

/** XML: entities that do harm, and what runs or fetches something in documents that programs act upon. */
export const startXmlCheck: StartTextCheck = (file) => startMarkupCheck('xml', file.sizeBytes)

/** An SVG image is XML that can contain scripts. */
export const startSvgCheck: StartTextCheck = (file) => startMarkupCheck('svg', file.sizeBytes)

function startMarkupCheck(markup: Markup, sizeBytes: number): ReturnType<StartTextCheck> {
  const active = new ActiveXml()
  const entities = new EntityCheck(sizeBytes)
  return {
    readsUtf8: true,
    markup,
    push(utf8) {
      entities.push(utf8)
      active.push(utf8)
    },
    end: () => ({ findings: [...entities.end(), ...active.end()], notes: [] }),
  }
}

const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

/** Browsers accept any HTML, so this only checks that there is some. What runs in it is found with secrets. */
export const startHtmlCheck: StartTextCheck = () => ({
  markup: 'html',
  end({ head, hasActive }) {
    const start = new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head)
    if (ELEMENT.test(start) || hasActive === true) return { findings: [], notes: [] }
    return { findings: [{ code: 'type_mismatch', detail: 'it contains no HTML' }], notes: [] }
  },
})

/** Finds what runs or fetches something in XML that is an Office document or that programs act upon. */
class ActiveXml {
  readonly #decoder = new TextDecoder('latin1')
  #head = ''
  #waiting: Uint8Array[] = []
  #isBegun = false
  /** The end of the last bytes, in a document that is acted upon. */
  #border = ''
  #office: OfficeXmlCheck | undefined
  #actedUpon: (typeof ACTED_UPON)[number] | undefined
  #acts = false

  push(utf8: Uint8Array): void {
    if (this.#isBegun) return this.#read(utf8)
    this.#head += this.#decoder.decode(utf8)
    this.#waiting.push(new Uint8Array(utf8))
    if (this.#head.length >= HEAD_LENGTH) this.#begin()
  }

  #begin(): void {
    this.#isBegun = true
    this.#head = this.#head.slice(0, HEAD_LENGTH)
    if (OFFICE.test(this.#head)) this.#office = new OfficeXmlCheck()
    this.#actedUpon = ACTED_UPON.find(([document]) => document.test(this.#head))
    for (const bytes of this.#waiting) this.#read(bytes)
    this.#waiting = []
  }

  #read(utf8: Uint8Array): void {
    this.#office?.push(utf8)
    if (this.#actedUpon === undefined || this.#acts) return
    const text = this.#border + this.#decoder.decode(utf8)
    this.#acts = this.#actedUpon[1].test(text)
    this.#border = text.slice(-1024)
  }

  end(): readonly Finding[] {
    if (!this.#isBegun) this.#begin()
    const acted = this.#acts ? this.#actedUpon?.[2] : undefined
    return [
      ...(this.#office?.end().findings ?? []),
      ...(acted === undefined ? [] : [acted]),
      ...(STYLE_SHEET.test(this.#head)
        ? [{ code: 'active_content', detail: 'its style sheet is on another computer' } as const]
        : []),
    ]
  }
}

const MARKUP = /^<(?:!doctype\s{1,20}(?:html|svg)|html|head|body|script|svg|iframe|meta)\b/i

/** The check for a text by its start, as programs do that open it: browsers without an extension, Office under any. */
export function sniffedCheck(head: Uint8Array, isOffice: boolean): StartTextCheck | undefined {
  const start = startOf(head)
  if (MARKUP.test(afterComments(start))) return startHtmlCheck
  if (/^<[?!a-z]/i.test(start)) return startXmlCheck
  return isOffice && MESSAGE.test(start) ? () => new MailCheck() : undefined
}

const MESSAGE = /^(?:[!-9;-~]{1,76}[ \t]{0,20}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,40}?mime-version[ \t]{0,20}:/i

/** Without comments and the declaration of XML. */
function afterComments(text: string): string {
  let at = 0
  for (;;) {
    const isComment = text.startsWith('<!--', at)
    if (!isComment && !/^<\?xml/i.test(text.slice(at, at + 5))) return text.slice(at)
    const end = text.indexOf(isComment ? '-->' : '>', at)
    if (end === -1) return ''
    at = end + (isComment ? 3 : 1)
    while (/\s/.test(text[at] ?? '')) at++
  }
}

/** Whether a text starts with a tag or a declaration. */
export const startsLikeXml = (head: Uint8Array): boolean => /^<[?!a-z]/i.test(startOf(head))

const startOf = (head: Uint8Array): string =>
  new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head.subarray(0, 2048)).trimStart()

/** The encoding that an XML declaration names. */
export function declaredEncoding(first: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(first.subarray(0, 200))
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(start)?.[1]
}
