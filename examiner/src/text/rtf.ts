import type { Finding } from '../rules.ts'
import { RtfObject } from './rtf-object.ts'
import type { TextCheck, TextPart, TextReport } from './text-check.ts'

/** Longer than a template or a field of interest. */
const AHEAD = 4096
const MAX_OBJECTS = 1000
const MAX_FIELDS = 50_000
const FIELD_LENGTH = 600

/** Word opens anything that starts with `{\rt`, also after blanks. */
export function isRtf(head: Uint8Array): boolean {
  let at = 0
  while (at < 64 && [0x09, 0x0a, 0x0d, 0x20].includes(head[at] ?? 0)) at++
  return head[at] === 0x7b && head[at + 1] === 0x5c && head[at + 2] === 0x72 && head[at + 3] === 0x74
}

const WORDS = /\\(?:objdata|objupdate|objautlink|objocx|objhtml|template|fldinst)(?![a-z])/g

/** Finds embedded objects in RTF, which are examined, fields that run something, and templates on other computers. */
export class RtfCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  #object: RtfObject | undefined
  #objects = 0
  #fields = 0
  readonly #dangers = new Set<string>()
  readonly #active = new Set<string>()
  readonly #parts: TextPart[] = []

  push(bytes: Uint8Array): void {
    this.#read(this.#carried + this.#decoder.decode(bytes), AHEAD)
  }

  end(): TextReport {
    this.#read(this.#carried, 0)
    this.#endObject()
    const findings: Finding[] = []
    if (this.#objects >= MAX_OBJECTS)
      findings.push({ code: 'partly_examined', detail: `it has more than ${MAX_OBJECTS} objects` })
    else if (this.#fields > MAX_FIELDS)
      findings.push({ code: 'partly_examined', detail: `it has more than ${MAX_FIELDS} fields` })
    if (this.#dangers.size > 0) findings.push({ code: 'embedded_object', detail: listed(this.#dangers) })
    if (this.#objects > 0) this.#active.add(`it contains ${this.#objects} embedded objects`)
    if (this.#active.size > 0 && this.#dangers.size === 0)
      findings.push({ code: 'active_content', detail: listed(this.#active) })
    return { findings, notes: [], parts: this.#parts }
  }

  /** Leaves the last characters for later, unless they belong to an object. */
  #read(text: string, ahead: number): void {
    let at = 0
    for (;;) {
      if (this.#object !== undefined) {
        at = this.#object.read(text, at)
        if (!this.#object.isOver) break
        this.#endObject()
      }
      WORDS.lastIndex = at
      const found = WORDS.exec(text)
      if (found === null || found.index > text.length - ahead) {
        this.#carried = text.slice(Math.max(at, Math.min(found?.index ?? text.length, text.length - ahead)))
        return
      }
      at = found.index + found[0].length
      this.#takeWord(found[0], text.slice(at, at + AHEAD))
    }
    this.#carried = ''
  }

  #takeWord(word: string, after: string): void {
    if (word === '\\objdata') {
      this.#objects++
      if (this.#objects < MAX_OBJECTS) this.#object = new RtfObject()
    } else if (word === '\\objupdate' || word === '\\objautlink')
      this.#dangers.add('an object loads itself when it is opened')
    else if (word === '\\template') {
      if (/^\s*(?:https?:|ftp:|file:|smb:|\\\\|\/\/)/i.test(plain(after.split('}', 1)[0] ?? '')))
        this.#active.add('its template is on another computer')
    } else if (word === '\\fldinst') {
      if (++this.#fields > MAX_FIELDS) return
      const field = plain(after.slice(0, FIELD_LENGTH))
      if (/^[\s"]*DDE(?:AUTO)?\b/i.test(field)) this.#active.add('a field starts another program (DDE)')
      else if (
        /^\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^]{0,300}?(?:https?:|ftp:|file:|\\\\)/i.test(field)
      )
        this.#active.add('a field loads a file')
    } else this.#active.add('it contains a control or a page')
  }

  #endObject(): void {
    const object = this.#object
    this.#object = undefined
    if (object === undefined) return
    for (const danger of object.dangers()) this.#dangers.add(danger)
    this.#parts.push(...object.parts(this.#objects))
  }
}

const listed = (found: ReadonlySet<string>): string => [...found].slice(0, 5).join('; ')

/** Text without groups, control words and escapes. */
function plain(rtf: string): string {
  return rtf.replaceAll(
    /\\'([\da-f]{2})|\\u(-?\d{1,5}) ?\??|\\([\\{}])|\\[a-z]+-?\d* ?|\\[^a-z]|[{}\r\n]/gi,
    (_, hex?: string, code?: string, escaped?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (code !== undefined) return String.fromCharCode(Number(code) & 0xffff)
      return escaped ?? ''
    },
  )
}
