import { byteOrderMark } from './text-bytes.ts'
import type { TextReport } from './text-check.ts'

const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

/** HTML forgives everything, so the question is only whether it is any; scripts in it are noted. */
export function htmlReport(head: Uint8Array, whole: Uint8Array | undefined): TextReport {
  const decoder = new TextDecoder(byteOrderMark(head) ?? 'utf-8')
  const start = decoder.decode(head)
  if (!ELEMENT.test(start)) {
    return { findings: [{ code: 'type_mismatch', seen: 'it holds no HTML' }], notes: [] }
  }
  const searched = whole === undefined ? start : decoder.decode(whole)
  const scripts = /<script[\s>]/i.test(searched)
  return { findings: [], notes: scripts ? ['holds scripts, which run where it is opened in a browser'] : [] }
}
