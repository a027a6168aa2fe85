import { detailOf } from '../rules.ts'
import { utf16Encoding } from '../detect/text-encoding.ts'
import type { Markup } from '../secrets/secret-starts.ts'
import { EntityCheck } from './entities.ts'
import { MailCheck } from './mail.ts'
import { OfficeXmlCheck } from './office-xml.ts'
import type { StartTextCheck } from './text-check.ts'

const HEAD_LENGTH = 64 * 1024
/** Documents of Word and Excel in one XML file, and OpenDocument. */
const OFFICE =
  /schemas\.microsoft\.com\/office\/(?:2006\/xmlPackage|word\/2003|powerpoint)|urn:schemas-microsoft-com:office|opendocument:xmlns:office/
/** XML: entities that do harm, and what runs or fetches something in a document of Office. */
export const startXmlCheck: StartTextCheck = (file) => startMarkupCheck('xml', file.sizeBytes)

/** An SVG image is XML that can contain scripts. */
export const startSvgCheck: StartTextCheck = (file) => startMarkupCheck('svg', file.sizeBytes)

function startMarkupCheck(markup: Markup, sizeBytes: number): ReturnType<StartTextCheck> {
  const entities = new EntityCheck(sizeBytes)
  let head = ''
  let office: OfficeXmlCheck | undefined
  return {
    readsUtf8: true,
    markup,
    push(utf8) {
      entities.push(utf8)
      if (office === undefined && head.length < HEAD_LENGTH) {
        head += latin1.decode(utf8.subarray(0, HEAD_LENGTH))
        // What is before the mark of a document has no links.
        if (OFFICE.test(head)) office = new OfficeXmlCheck()
      }
      office?.push(utf8)
    },
    end: () => ({ findings: [...entities.end(), ...(office?.end().findings ?? [])] }),
  }
}

const latin1 = new TextDecoder('latin1')
const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

/** Browsers accept any HTML, so this only checks that there is some. What runs in it is found with secrets. */
export const startHtmlCheck: StartTextCheck = () => ({
  markup: 'html',
  end({ head, hasActive }) {
    const start = new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head)
    if (ELEMENT.test(start) || hasActive === true) return { findings: [] }
    return { findings: [{ code: 'type_mismatch', detail: detailOf('detail.noHtml') }] }
  },
})

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
