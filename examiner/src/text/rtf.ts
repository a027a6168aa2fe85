import { type Finding, detailOf, detailsOf, type PlainDetail } from '../rules.ts'
import { ProgramSearch } from '../search/program-search.ts'
import type { TextCheck, TextReport } from './text-check.ts'

/** Longer than a field of interest, and than a control word. */
const AHEAD = 1024
const FIELD_LENGTH = 512
const MAX_FIELDS = 50_000

/** Word opens anything that starts with `{\rt`, also after blanks. */
export function isRtf(head: Uint8Array): boolean {
  let at = 0
  while (at < 64 && [0x09, 0x0a, 0x0d, 0x20].includes(head[at] ?? 0)) at++
  return head[at] === 0x7b && head[at + 1] === 0x5c && head[at + 2] === 0x72 && head[at + 3] === 0x74
}

const WORDS = /\\(?:obj(?:ect|data|update|autlink|ocx|html|class|emb|link)|template|fldinst)(?![a-z])/gi
const REMOTE = /^\s*(?:https?:|ftp:|file:|smb:|\\\\|\/\/)/i
const FETCHING_FIELD = /^\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b[^]*?(?:https?:|ftp:|file:|\\\\)/i

/** Finds objects in RTF and programs in their hexadecimal data, fields that run something, and templates on other computers. */
export class RtfCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  #fields = 0
  #hasObject = false
  readonly #data = new HexSearch()
  readonly #active = new Set<PlainDetail>()

  push(bytes: Uint8Array): void {
    this.#read(this.#carried + this.#decoder.decode(bytes), AHEAD)
  }

  end(): TextReport {
    this.#read(this.#carried, 0)
    const program = this.#data.end()
    const findings: Finding[] = []
    if (program !== undefined)
      findings.push({
        code: 'executable_content',
        detail: detailOf('detail.objectProgram', { program: detailOf(program.what) }),
      })
    if (this.#fields > MAX_FIELDS)
      findings.push({
        code: 'not_examined_in_time',
        detail: detailOf('detail.tooManyFields', { count: MAX_FIELDS }),
      })
    if (this.#hasObject) {
      this.#active.add('detail.embeddedObjects')
      findings.push({ code: 'partly_examined', detail: detailOf('detail.objectsNotOpened') })
    }
    if (this.#active.size > 0)
      findings.push({
        code: 'active_content',
        detail: detailsOf([...this.#active].slice(0, 5).map((key) => detailOf(key))),
      })
    return { findings }
  }

  /** Leaves the last characters for later. */
  #read(text: string, ahead: number): void {
    const end = Math.max(0, text.length - ahead)
    let from = 0
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      if (index >= end) break
      this.#data.push(text.slice(from, index))
      from = index + word.length
      this.#takeWord(word.toLowerCase(), text.slice(from, from + FIELD_LENGTH))
    }
    // A control word is not cut.
    const word = text.lastIndexOf('\\', end)
    const kept = Math.max(from, word > end - 64 && ahead > 0 ? word : end)
    this.#data.push(text.slice(from, kept))
    this.#carried = text.slice(kept)
  }

  #takeWord(word: string, after: string): void {
    if (word === '\\template') {
      if (REMOTE.test(plain(after.slice(0, 128).split('}', 1)[0] ?? '')))
        this.#active.add('detail.templateRemote')
    } else if (word === '\\fldinst') {
      if (++this.#fields > MAX_FIELDS) return
      const field = plain(after)
      if (/^[\s"]*DDE(?:AUTO)?\b/i.test(field)) this.#active.add('detail.fieldStarts')
      else if (FETCHING_FIELD.test(field)) this.#active.add('detail.fieldLoads')
    } else this.#hasObject = true
    if (word === '\\objdata') this.#data.start()
    if (word === '\\objupdate' || word === '\\objautlink') this.#active.add('detail.objectLoads')
  }
}

/** Text without groups, control words and escapes. */
function plain(rtf: string): string {
  return rtf.replaceAll(
    /\\'([\da-f]{2})|\\u(-?\d{1,5}) ?\??|\\([\\{}])|\\[a-z]{1,40}-?\d{0,10} ?|\\[^a-z]|[{}\r\n]/gi,
    (_, hex?: string, code?: string, escaped?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (code !== undefined) return String.fromCharCode(Number(code) & 0xffff)
      return escaped ?? ''
    },
  )
}

/** What is no digit of the data: control words, whose names have such letters, escapes, and anything else. */
const NO_DIGITS = /\\'[\da-f]{0,2}|\\[a-z]{1,40}-?\d{0,10} ?|[^\da-f]/gi

/** Searches what hexadecimal digits stand for, from the first object on. Binary data in it is found where it is. */
class HexSearch {
  readonly #search = new ProgramSearch()
  #isStarted = false
  /** The first digit of a byte. */
  #half = ''

  start(): void {
    this.#isStarted = true
    this.#half = ''
  }

  push(text: string): void {
    if (!this.#isStarted) return
    const digits = this.#half + text.replaceAll(NO_DIGITS, '')
    const bytes = new Uint8Array(digits.length >> 1)
    for (let at = 0; at < bytes.length; at++)
      bytes[at] =
        (VALUES[digits.charCodeAt(2 * at)] as number) * 16 + (VALUES[digits.charCodeAt(2 * at + 1)] as number)
    this.#half = digits.slice(2 * bytes.length)
    this.#search.push(bytes)
  }

  end = (): ReturnType<ProgramSearch['end']> => this.#search.end()
}

const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16))
