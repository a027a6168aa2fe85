import { utf16Encoding } from '../detect/text-encoding.ts'
import { NO_FINDINGS, type StartTextCheck } from './text-check.ts'

const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

/** Browsers accept any HTML, so this only checks that there is some. What runs in it is found with secrets. */
export const startHtmlCheck: StartTextCheck = () => ({
  markup: 'html',
  end({ head, hasActive }) {
    const start = new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head)
    if (ELEMENT.test(start) || hasActive === true) return NO_FINDINGS
    return { findings: [{ code: 'type_mismatch', detail: 'it contains no HTML' }], notes: [] }
  },
})
