import { byteOrderMark } from '../detect/text-encoding.ts'
import type { ReadText, TextReport } from './text-check.ts'

const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

/** Browsers accept any HTML, so this only checks that there is some, and notes scripts. */
export function checkHtml({ head, whole }: ReadText): TextReport {
  const decoder = new TextDecoder(byteOrderMark(head) ?? 'utf-8')
  const start = decoder.decode(head)
  if (!ELEMENT.test(start)) {
    return { findings: [{ code: 'type_mismatch', detail: 'it contains no HTML' }], notes: [] }
  }
  const searched = whole === undefined ? start : decoder.decode(whole)
  const hasScripts = /<script[\s>]/i.test(searched)
  return { findings: [], notes: hasScripts ? ['contains scripts, which run when opened in a browser'] : [] }
}
