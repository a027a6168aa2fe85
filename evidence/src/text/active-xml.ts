// docs/decisions/0208
import type { Finding } from '../rules.ts'
import { ActiveMarkup } from './active-text.ts'
import { OfficeXmlCheck } from './office-xml.ts'
import { isUtf16, type StartTextCheck, type TextPart } from './text-check.ts'

const HEAD_LENGTH = 256 * 1024
/** Browsers run scripts of these namespaces in any XML, and XSLT has scripts of its own. */
const MARKUP = /www\.w3\.org\/(?:1999\/(?:xhtml|XSL)|2000\/svg)/
/** Documents of Word and Excel in one XML file, and OpenDocument. */
const OFFICE =
  /schemas\.microsoft\.com\/office\/(?:2006\/xmlPackage|word\/2003|powerpoint)|urn:schemas-microsoft-com:office|opendocument:xmlns:office/
const BINARY_DATA = /<\/?(?:[\w.-]+:)?binaryData(?:\s[^>]*)?>/g
const PART_NAME = /:name\s*=\s*["']([^"']{1,300})["'][^>]*>\s*$/
const MAX_PARTS = 1000

/** For XML under an unknown extension, which is not parsed. */
export const startActiveXmlCheck: StartTextCheck = () => {
  const active = new ActiveXml()
  return {
    readsUtf8: true,
    push: (utf8) => active.push(utf8),
    end: ({ encoding }) => ({
      findings: active.findings,
      notes: [],
      parts: isUtf16(encoding) ? [] : active.parts,
    }),
  }
}

/** Finds what runs or fetches something in XML that is a page, an image or an Office document. */
export class ActiveXml {
  readonly #decoder = new TextDecoder('latin1')
  #head = ''
  #readBytes = 0
  readonly #utf8 = new TextDecoder()
  /** The end of the last bytes. */
  #border = ''
  #markup: ActiveMarkup | undefined
  #office: OfficeXmlCheck | undefined
  readonly parts: TextPart[] = []
  #carried = ''
  /** The encoded part that is being read. */
  #open: { readonly name: string; readonly from: number } | undefined

  push(utf8: Uint8Array): void {
    if (this.#head.length < HEAD_LENGTH) this.#head += this.#decoder.decode(utf8.subarray(0, HEAD_LENGTH))
    if (this.#markup === undefined && MARKUP.test(this.#border + this.#utf8.decode(utf8)))
      this.#markup = new ActiveMarkup('xml')
    this.#border = this.#decoder.decode(utf8.subarray(-64))
    if (this.#office === undefined && OFFICE.test(this.#head)) this.#office = new OfficeXmlCheck()
    this.#markup?.push(utf8)
    this.#office?.push(utf8)
    if (this.#office !== undefined) this.#findParts(this.#decoder.decode(utf8))
    this.#readBytes += utf8.length
  }

  get findings(): readonly Finding[] {
    this.#office?.end()
    return [...(this.#markup?.findings ?? []), ...(this.#office?.findings() ?? [])]
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
