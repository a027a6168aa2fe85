import { copyOf, joined } from '../platform/sources.ts'

const AROUND = 512
const NAME_BYTES = 80
const [PIPE, BANG] = [0x7c, 0x21]

/** Functions that load or run something, before their bracket. */
const CALL =
  /(?:^|[^A-Z])(?:HYPERLINK|WEBSERVICE|IMPORT(?:XML|DATA|HTML|FEED|RANGE)|IMAGE|FILTERXML|RTD|DDE|EXEC|CALL|REGISTER(?:\.ID)?|SQL\.REQUEST|SHELL)\s*$/i
/** The name of a program, before its topic. */
const PROGRAM = /[A-Za-z_][\w.]{0,60}['" ]*$/
/** A field that is a formula, in the same line. */
const FORMULA = /(?:^|[,;\t|\n\r])[ \t"']*(?:[=+@-]|\uff1d|\uff0b|\uff0d|\uff20)[^\n\r]*$/
const decoder = new TextDecoder()

/** Finds formulas in a table that call another program or address when a spreadsheet program opens it. */
export class FormulaFinder {
  found = false
  #before: Uint8Array = new Uint8Array(0)

  /** Looks at a bracket or a bar. */
  lookAt(bytes: Uint8Array, at: number): void {
    if (this.found) return
    const isBar = bytes[at] === PIPE
    // What follows a bar may be in the next bytes.
    if (isBar && at + AROUND <= bytes.length && !bytes.subarray(at, at + AROUND).includes(BANG)) return
    if (!(isBar ? PROGRAM : CALL).test(this.#textBefore(bytes, at, NAME_BYTES))) return
    this.found = FORMULA.test(this.#textBefore(bytes, at, AROUND))
  }

  #textBefore(bytes: Uint8Array, at: number, length: number): string {
    const start = bytes.subarray(Math.max(0, at - length), at)
    return decoder.decode(at < length ? joined(this.#before.subarray(at - length), start) : start)
  }

  /** Keeps the end of what was looked at. */
  endChunk(bytes: Uint8Array): void {
    if (!this.found) this.#before = copyOf(bytes.subarray(-AROUND))
  }
}
