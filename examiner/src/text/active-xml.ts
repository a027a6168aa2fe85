import type { Finding } from '../rules.ts'
import { OfficeXmlCheck } from './office-xml.ts'
import { isUtf16, type StartTextCheck, type TextPart } from './text-check.ts'

const HEAD_LENGTH = 256 * 1024
/** Documents of Word and Excel in one XML file, and OpenDocument. */
const OFFICE =
  /schemas\.microsoft\.com\/office\/(?:2006\/xmlPackage|word\/2003|powerpoint)|urn:schemas-microsoft-com:office|opendocument:xmlns:office/
/** A style sheet, which programs load and which can contain scripts. */
const STYLE_SHEET = /<\?xml-stylesheet\b[^>]*\bhref\s*=\s*["']\s*(?:https?:|ftp:|file:|\/\/|\\\\)/i
/** Documents that are acted upon: how to recognize one, the sign to search for, and the finding. */
const ACTED_UPON: readonly (readonly [document: RegExp, sign: RegExp, finding: Finding])[] = [
  [
    /<(?:\w+:)?Project[\s>]/,
    /<(?:\w+:)?(?:Exec\s|UsingTask\b[^>]*\sTaskFactory\s*=|P(?:re|ost)(?:Build|Link)Event>\s*[^<\s])/,
    { code: 'script_content', detail: 'building it runs commands (MSBuild)' },
  ],
  [
    /schemas\.microsoft\.com\/Contact/i,
    />\s*(?:file:|[^<>/]{0,100}\\|[^<>]{1,500}\.(?:exe|cpl|scr|lnk|hta|dll|bat|cmd|vbs|js|msi)\s*<)/i,
    { code: 'active_content', detail: 'the contact links to a file or program' },
  ],
]
const BINARY_DATA = /<\/?(?:[\w.-]+:)?binaryData(?:\s[^>]*)?>/g
const PART_NAME = /:name\s*=\s*["']([^"']{1,300})["'][^>]*>\s*$/
const MAX_PARTS = 1000

/** For XML under an unknown extension, which is not parsed. */
export const startActiveXmlCheck: StartTextCheck = () => {
  const active = new ActiveXml()
  return {
    readsUtf8: true,
    markup: 'xml',
    push: (utf8) => active.push(utf8),
    end: ({ encoding }) => ({
      findings: active.findings,
      notes: [],
      parts: isUtf16(encoding) ? [] : active.parts,
    }),
  }
}

/** Finds what runs or fetches something in XML that is an Office document or that programs act upon. */
export class ActiveXml {
  readonly #decoder = new TextDecoder('latin1')
  #head = ''
  #readBytes = 0
  /** The end of the last bytes, in a document that is acted upon. */
  #border = ''
  #office: OfficeXmlCheck | undefined
  #actedUpon: (typeof ACTED_UPON)[number] | undefined
  #acts = false
  readonly parts: TextPart[] = []
  #carried = ''
  /** The encoded part that is being read. */
  #open: { readonly name: string; readonly from: number } | undefined

  push(utf8: Uint8Array): void {
    if (this.#head.length < HEAD_LENGTH) {
      this.#head += this.#decoder.decode(utf8.subarray(0, HEAD_LENGTH))
      if (this.#office === undefined && OFFICE.test(this.#head)) this.#office = new OfficeXmlCheck()
      this.#actedUpon ??= ACTED_UPON.find(([document]) => document.test(this.#head))
    }
    if (this.#actedUpon !== undefined && !this.#acts) this.#findSign(this.#actedUpon[1], utf8)
    this.#office?.push(utf8)
    if (this.#office !== undefined) this.#findParts(this.#decoder.decode(utf8))
    this.#readBytes += utf8.length
  }

  #findSign(sign: RegExp, utf8: Uint8Array): void {
    const text = this.#border + this.#decoder.decode(utf8)
    this.#acts = sign.test(text)
    this.#border = text.slice(-1024)
  }

  get findings(): readonly Finding[] {
    this.#office?.end()
    const acted = this.#acts ? this.#actedUpon?.[2] : undefined
    return [
      ...(this.#office?.findings() ?? []),
      ...(acted === undefined ? [] : [acted]),
      ...(STYLE_SHEET.test(this.#head)
        ? [{ code: 'active_content', detail: 'its style sheet is on another computer' } as const]
        : []),
    ]
  }

  /** Binary parts of a package in one file (flat OPC), in base64. */
  #findParts(chunk: string): void {
    const text = this.#carried + chunk
    const offset = this.#readBytes - this.#carried.length
    let at = 0
    for (const { 0: tag, index } of text.matchAll(BINARY_DATA)) {
      at = index + tag.length
      if (!tag.startsWith('</')) {
        const name = PART_NAME.exec(text.slice(Math.max(0, index - 1024), index))?.[1] ?? 'part'
        this.#open = { name: name.replace(/^\//, ''), from: offset + at }
      } else if (this.#open !== undefined && this.parts.length < MAX_PARTS) {
        const { name, from } = this.#open
        this.parts.push({
          name,
          held: 'part',
          encoding: 'base64',
          from,
          to: offset + index,
        })
      }
    }
    this.#carried = text.slice(Math.max(at, text.length - 1024))
  }
}
