import type { Finding } from '../rules.ts'
import { type FoundProgram, ProgramSearch } from '../search/program-search.ts'
import type { TextCheck, TextReport } from './text-check.ts'

/** Longer than a field of interest. */
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

/** Finds programs in embedded objects of RTF, fields that run something, and templates on other computers. */
export class RtfCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  #object: HexObject | undefined
  #fields = 0
  #hasObject = false
  #program: FoundProgram | undefined
  readonly #active = new Set<string>()

  push(bytes: Uint8Array): void {
    this.#read(this.#carried + this.#decoder.decode(bytes), AHEAD)
  }

  end(): TextReport {
    this.#read(this.#carried, 0)
    this.#endObject()
    const findings: Finding[] = []
    if (this.#program !== undefined)
      findings.push({ code: 'executable_content', detail: `an object in it is ${this.#program.title}` })
    if (this.#fields > MAX_FIELDS)
      findings.push({ code: 'not_examined_in_time', detail: `it has more than ${MAX_FIELDS} fields` })
    if (this.#hasObject) {
      this.#active.add('it contains embedded objects')
      findings.push({ code: 'partly_examined', detail: 'objects in it were not taken apart' })
    }
    if (this.#active.size > 0)
      findings.push({ code: 'active_content', detail: [...this.#active].slice(0, 5).join('; ') })
    return { findings, notes: [] }
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
      this.#takeWord(found[0].toLowerCase(), text.slice(at, at + FIELD_LENGTH))
    }
    this.#carried = ''
  }

  #takeWord(word: string, after: string): void {
    if (word === '\\objdata') this.#object = new HexObject()
    else if (word === '\\template') {
      if (
        /^\s*(?:https?:|ftp:|file:|smb:|\\\\|\/\/)/i.test(plain(after.slice(0, 128).split('}', 1)[0] ?? ''))
      )
        this.#active.add('its template is on another computer')
    } else if (word === '\\fldinst') {
      if (++this.#fields > MAX_FIELDS) return
      const field = plain(after)
      if (/^[\s"]*DDE(?:AUTO)?\b/i.test(field)) this.#active.add('a field starts another program (DDE)')
      else if (
        /^\s*(?:INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b/i.test(field) &&
        /https?:|ftp:|file:|\\\\/i.test(field)
      )
        this.#active.add('a field loads a file')
    } else this.#hasObject = true
    if (word === '\\objupdate' || word === '\\objautlink')
      this.#active.add('an object loads itself when it is opened')
  }

  #endObject(): void {
    if (this.#object === undefined) return
    this.#hasObject = true
    this.#program ??= this.#object.end()
    this.#object = undefined
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

const [BACKSLASH, OPEN, CLOSE, QUOTE] = [0x5c, 0x7b, 0x7d, 0x27]
const MAX_BINARY = 64 * 1024 * 1024

/**
 * The content of `\objdata`: hexadecimal digits between anything else that RTF allows. Programs differ in whether digits of
 * groups and escapes within it count, so it is searched in two ways.
 */
class HexObject {
  isOver = false
  readonly #all = new HexSearch()
  readonly #own = new HexSearch()
  #depth = 0
  /** A control word that goes on in the next text. */
  #word: string | undefined
  #escaped = 0
  #binary = 0

  /** Returns where the object ends, or the end of the text. */
  read(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#binary > 0) {
        this.#binary--
        this.#all.byte(BYTE_OF.get(code) ?? code)
        this.#own.byte(BYTE_OF.get(code) ?? code)
      } else if (this.#escaped > 0) {
        this.#escaped--
        this.#own.digit(code)
      } else if (this.#word !== undefined) {
        if (!this.#readWord(code)) at--
      } else if (code === BACKSLASH) this.#word = ''
      else if (code === OPEN) this.#depth++
      else if (code === CLOSE) {
        if (--this.#depth < 0) {
          this.isOver = true
          return at
        }
      } else {
        this.#all.digit(code)
        if (this.#depth === 0) this.#own.digit(code)
      }
    }
    return text.length
  }

  end(): FoundProgram | undefined {
    return this.#all.end() ?? this.#own.end()
  }

  /** False if the character is not part of the control word. */
  #readWord(code: number): boolean {
    const word = this.#word as string
    const letter = String.fromCharCode(code)
    const isLetter = /[a-z]/i.test(letter)
    if (word === '' && !isLetter) {
      this.#word = undefined
      if (code === QUOTE) this.#escaped = 2
      return true
    }
    const isMore =
      (isLetter && /^[a-z]*$/i.test(word)) || /\d/.test(letter) || (letter === '-' && /[a-z]$/i.test(word))
    if (isMore && word.length < 40) {
      this.#word = word + letter
      return true
    }
    this.#word = undefined
    const binary = /^bin(\d{1,9})$/i.exec(word)?.[1]
    if (binary !== undefined) this.#binary = Math.min(MAX_BINARY, Number(binary))
    // A space ends a control word, and belongs to it.
    return letter === ' '
  }
}

/** TextDecoder's Latin-1 is Windows-1252, in which these bytes are other characters. */
const BYTE_OF = new Map(
  Array.from({ length: 32 }, (_, index) => [
    new TextDecoder('latin1').decode(Uint8Array.of(128 + index)).charCodeAt(0),
    128 + index,
  ]),
)
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 255 : value
})

/** Searches what hexadecimal digits stand for; other characters are skipped. */
class HexSearch {
  readonly #search = new ProgramSearch()
  readonly #bytes = new Uint8Array(64 * 1024)
  #length = 0
  #high: number | undefined

  digit(code: number): void {
    const value = code < 128 ? (VALUES[code] as number) : 255
    if (value === 255) return
    if (this.#high === undefined) this.#high = value
    else {
      const byte = this.#high * 16 + value
      this.#high = undefined
      this.byte(byte)
    }
  }

  byte(value: number): void {
    this.#bytes[this.#length++] = value
    if (this.#length === this.#bytes.length) this.#flush()
  }

  end(): FoundProgram | undefined {
    this.#flush()
    return this.#search.end()
  }

  #flush(): void {
    this.#search.push(this.#bytes.subarray(0, this.#length))
    this.#length = 0
  }
}
