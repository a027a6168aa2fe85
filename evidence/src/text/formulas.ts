import { copyOf, joined } from '../platform/sources.ts'

const OVERLAP = 512
const [OPEN, PIPE, BANG] = [0x28, 0x7c, 0x21]

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
  #carried: Uint8Array = new Uint8Array(0)

  push(bytes: Uint8Array): void {
    if (this.found) return
    if (this.#carried.length > 0) this.#search(joined(this.#carried, bytes.subarray(0, OVERLAP)))
    this.#search(bytes)
    this.#carried = copyOf(bytes.subarray(-OVERLAP))
  }

  #search(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(OPEN); at !== -1 && !this.found; at = bytes.indexOf(OPEN, at + 1)) {
      // The last letters of the functions.
      const last = (bytes[at - 1] ?? 0) & 0xdf
      if (LAST_LETTERS[last] === 1 || last === 0) this.found = isFormula(bytes, at, CALL)
    }
    if (this.found || !bytes.includes(BANG)) return
    for (let at = bytes.indexOf(PIPE); at !== -1 && !this.found; at = bytes.indexOf(PIPE, at + 1)) {
      const bang = bytes.indexOf(BANG, at)
      if (bang === -1) return
      if (bang - at < OVERLAP) this.found = isFormula(bytes, at, PROGRAM)
    }
  }
}

const LAST_LETTERS = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[KELADCRT]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

function isFormula(bytes: Uint8Array, at: number, before: RegExp): boolean {
  if (!before.test(decoder.decode(bytes.subarray(Math.max(0, at - 64), at)))) return false
  return FORMULA.test(decoder.decode(bytes.subarray(Math.max(0, at - OVERLAP), at)))
}
