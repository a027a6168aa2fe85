import { executableName } from '../detect/programs.ts'
import type { Finding } from '../rules.ts'
import type { TextCheck, TextReport } from './text-check.ts'

const CARRIED = 64
const MAX_OBJECTS = 200
const OBJECT_DIGITS = 8192

/** Word opens anything that starts with `{\rt`. */
export function isRtf(head: Uint8Array): boolean {
  return head[0] === 0x7b && head[1] === 0x5c && head[2] === 0x72 && head[3] === 0x74
}

/** Objects that are used to run something: file packages, links that load themselves, and the equation editor. */
const RUNS =
  /^(?:package|ole2link|equation\.\d|htmlfile|word\.document\.?\d*\.?macro|scriptlet|otkloadr|forms\.)/i

/** Finds embedded objects in RTF: those that can run something are a danger, others a notice. */
export class RtfCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  #objects = 0
  /** The hexadecimal digits of the current object. */
  #digits: string | undefined
  readonly #dangers = new Set<string>()

  push(bytes: Uint8Array): void {
    let text = this.#carried + this.#decoder.decode(bytes)
    this.#carried = ''
    while (text !== '') {
      text = this.#digits === undefined ? this.#findObject(text) : this.#readObject(text)
    }
  }

  end(): TextReport {
    this.#endObject()
    const findings: Finding[] = []
    if (this.#dangers.size > 0)
      findings.push({ code: 'embedded_object', detail: [...this.#dangers].slice(0, 5).join('; ') })
    else if (this.#objects > 0)
      findings.push({ code: 'active_content', detail: `it contains ${this.#objects} embedded objects` })
    return { findings, notes: [] }
  }

  /** Returns what is left after the next object starts. */
  #findObject(text: string): string {
    if (/\\objupdate\b|\\objautlink\b/.test(text))
      this.#dangers.add('an object loads itself when it is opened')
    const at = text.indexOf('\\objdata')
    if (at === -1 || this.#objects >= MAX_OBJECTS) {
      this.#carried = text.slice(-CARRIED)
      // A carried control word was already seen.
      if (/\\obj(?:update|autlink)\b/.test(this.#carried)) this.#carried = ''
      return ''
    }
    this.#objects++
    this.#digits = ''
    return text.slice(at + '\\objdata'.length)
  }

  #readObject(text: string): string {
    const end = text.indexOf('}')
    const part = end === -1 ? text : text.slice(0, end)
    if ((this.#digits?.length ?? 0) < OBJECT_DIGITS) this.#digits += part.replaceAll(/[^0-9a-f]/gi, '')
    if (end === -1) return ''
    this.#endObject()
    return text.slice(end)
  }

  #endObject(): void {
    const digits = this.#digits?.slice(0, OBJECT_DIGITS)
    this.#digits = undefined
    if (digits === undefined) return
    const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    const text = new TextDecoder('latin1').decode(bytes)
    // The version, the format, then the length of the class name and the name.
    const length = (bytes[8] ?? 0) + 256 * (bytes[9] ?? 0)
    const name = text.slice(12, 12 + Math.min(length, 100)).replaceAll('\0', '')
    const file = text.split('\0').find((part) => executableName(part, false) !== undefined)
    if (RUNS.test(name)) this.#dangers.add(`an object of class ${name}`)
    if (file !== undefined) this.#dangers.add('an embedded file is a program')
    if (/\0MZ[^]{50}/.test(text) || text.includes('This program cannot be run'))
      this.#dangers.add('an embedded file is a program')
    if (!/^[\w. -]{0,60}$/.test(name)) this.#dangers.add('an object has a disguised header')
  }
}
