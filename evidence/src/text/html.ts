import { utf16Encoding } from '../detect/text-encoding.ts'
import { ActiveMarkup } from './active-text.ts'
import type { ReadText, StartTextCheck, TextCheck, TextReport } from './text-check.ts'

const ELEMENT = /<(?:!doctype\s+html|!--|[a-z][a-z\d-]{0,40}[\s>/])/i

export const startHtmlCheck: StartTextCheck = () => new HtmlCheck()

/** Browsers accept any HTML, so this only checks that there is some, and finds what runs in it. */
class HtmlCheck implements TextCheck {
  readonly readsUtf8 = true
  readonly #active = new ActiveMarkup('html')

  push(bytes: Uint8Array): void {
    this.#active.push(bytes)
  }

  end({ head }: Pick<ReadText, 'head'>): TextReport {
    const { findings } = this.#active
    const start = new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head)
    if (ELEMENT.test(start) || findings.length > 0) return { findings, notes: [] }
    return { findings: [{ code: 'type_mismatch', detail: 'it contains no HTML' }], notes: [] }
  }
}
