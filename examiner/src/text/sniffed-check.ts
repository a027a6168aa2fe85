import { utf16Encoding } from '../detect/text-encoding.ts'
import { startActiveXmlCheck } from './active-xml.ts'
import { startHtmlCheck } from './html.ts'
import { MailCheck } from './mail.ts'
import type { StartTextCheck } from './text-check.ts'
import { startXmlCheck } from './xml-syntax.ts'

const MARKUP =
  /^(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*)*<(?:!doctype\s+(?:html|svg)|html|head|body|script|svg|iframe|meta)\b/i
const MESSAGE = /^(?:[!-9;-~]{1,76}[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*){0,40}?mime-version[ \t]*:/i

/** The check for a text by its start, as programs do that open it: browsers without an extension, Office under any. */
export function sniffedCheck(head: Uint8Array, isOffice: boolean): StartTextCheck | undefined {
  const start = startOf(head)
  if (MARKUP.test(start)) return startHtmlCheck
  if (startsLikeXml(head)) return isOffice ? startXmlCheck : startActiveXmlCheck
  if (!isOffice) return undefined
  return MESSAGE.test(start) ? () => new MailCheck() : undefined
}

/** Whether a text starts with a tag or a declaration. */
export const startsLikeXml = (head: Uint8Array): boolean => /^<[?!a-z]/i.test(startOf(head))

function startOf(head: Uint8Array): string {
  return new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head.subarray(0, 2048)).trimStart()
}
