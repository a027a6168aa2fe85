import { runsWhenOpened } from '../detect/programs.ts'
import type { Finding } from '../rules.ts'
import type { Containment } from './text-check.ts'
import { isUtf16, type ReadText, type TextCheck, type TextPart, type TextReport } from './text-check.ts'

/** Longer than the start of a part, and than a link. */
const AHEAD = 4096
const MAX_PARTS = 1000

/** How files in base64 are marked in a text. */
interface Marks {
  readonly begin: RegExp
  /** Both are global. */
  readonly end: RegExp
  /** Undefined if the text that starts here is not a file. `value` is what follows, up to a limit. */
  part(start: string, value: string, number: number): Begun | undefined
}

interface Begun {
  readonly name: string
  readonly as: Containment
  /** How much of the value is not part of it. */
  readonly skipped?: number
}

/** Finds files in a text that is not a message: attached to an event or a contact. */
export class AttachedParts implements TextCheck {
  readonly #marks: Marks
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  /** The offset of what is carried. */
  #offset = 0
  #open: { readonly name: string; readonly as: Containment; readonly from: number } | undefined
  readonly #parts: TextPart[] = []
  #link: string | undefined

  constructor(marks: Marks) {
    this.#marks = marks
  }

  push(bytes: Uint8Array): void {
    this.#read(this.#carried + this.#decoder.decode(bytes), AHEAD)
  }

  end({ encoding }: Pick<ReadText, 'encoding'>): TextReport {
    this.#read(`${this.#carried}\n`, 0)
    this.#close(this.#offset + this.#carried.length)
    const findings: Finding[] = []
    if (this.#link !== undefined)
      findings.push({ code: 'active_content', detail: `it links to ${this.#link.slice(0, 100)}` })
    if (this.#parts.length >= MAX_PARTS)
      findings.push({ code: 'not_examined_in_time', detail: `it contains more than ${MAX_PARTS} files` })
    return { findings, notes: [], parts: isUtf16(encoding) ? [] : this.#parts }
  }

  #read(text: string, ahead: number): void {
    const last = text.length - ahead
    let at = 0
    for (;;) {
      const { begin, end, part } = this.#marks
      const mark = this.#open === undefined ? begin : end
      mark.lastIndex = at
      const found = mark.exec(text)
      if (found === null || found.index > last) {
        at = Math.max(at, Math.min(found?.index ?? text.length, last))
        break
      }
      at = found.index + (this.#open === undefined ? found[0].length : 0)
      if (this.#open !== undefined) this.#close(this.#offset + found.index)
      else {
        const value = text.slice(at, at + AHEAD)
        const opened = part(found[0], value, this.#parts.length + 1)
        if (opened !== undefined) this.#open = { ...opened, from: this.#offset + at + (opened.skipped ?? 0) }
        else this.#link ??= linkIn(value)
      }
    }
    this.#carried = text.slice(at)
    this.#offset += at
  }

  #close(to: number): void {
    if (this.#open === undefined) return
    const { name, as, from } = this.#open
    if (this.#parts.length < MAX_PARTS) this.#parts.push({ name, as, encoding: 'base64', from, to })
    this.#open = undefined
  }
}

/** The first line of a value, if it is a link to a program or to a file on this or another computer. */
function linkIn(value: string): string | undefined {
  const link = (/^(?:[^\r\n]|\r?\n[ \t])*/.exec(value)?.[0] ?? '').replaceAll(/\r?\n[ \t]/g, '')
  return opensFile(link) ? link : undefined
}

/** Whether a link opens a program, or a file on this or another computer. A host such as `example.com` is none. */
export function opensFile(link: string): boolean {
  const text = link.trim()
  if (/^(?:file:|\\\\|[a-z]:\\)/i.test(text)) return true
  const path = text.replace(/^[a-z][\w+.-]*:(?:\/\/[^/?#]*)?/i, '').replace(/[?#].*$/, '')
  return runsWhenOpened(path.replace(/^.*[\\/]/, ''))
}

/** Calendars and contact cards (RFC 5545, RFC 6350): long lines go on after a line break and a blank. */
export const startCardCheck = (): TextCheck =>
  new AttachedParts({
    begin:
      /^(?:[\w-]{1,60}\.)?(?:ATTACH|IMAGE|PHOTO|LOGO|SOUND|KEY|URL|SOURCE)(?:;(?:[^:"\r\n]|"[^"\r\n]{0,500}"|\r?\n[ \t]){0,2000})?:/gim,
    end: /\r?\n(?![ \t])/g,
    part(start, value, number) {
      const header = start.replaceAll(/\r?\n[ \t]/g, '')
      const data = /^data:[^,]{0,200};base64,/i.exec(value)?.[0]
      if (data === undefined && !/;ENCODING=["']?(?:BASE64|B)\b/i.test(header)) return undefined
      const name = /;(?:X-)?(?:APPLE-)?FILENAME="?([^":;]{1,200})/i.exec(header)?.[1]
      const isPicture = /^(?:[\w-]{1,60}\.)?(?:PHOTO|LOGO|IMAGE)/i.test(header)
      const as = isPicture ? 'package' : 'attachment'
      return { name: name ?? `attachment ${number}`, as, skipped: data?.length ?? 0 }
    },
  })
