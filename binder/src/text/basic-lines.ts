// docs/decisions/0230
import type { GlyphSet } from '../fonts/typeface.ts'
import type { DocumentFont } from '../pdf/document-font.ts'

/** A line of basic text, in thousandths of the font size. */
export interface BasicLine {
  /** The operator that shows it. Basic glyphs have the same codes in every document. */
  readonly operator: string
  readonly width: number
  readonly characters: number
}

/** How the characters of basic text are written: codes, advances, and distances to the character that follows. */
export interface BasicCharacters {
  readonly codes: readonly string[]
  readonly advances: Float64Array
  kerning(left: number, right: number): number
}

const FIRST = 0x20
const LAST = 0x7e
const UNKNOWN = 0x7fff
const COUNT = LAST - FIRST + 1

/** Printable ASCII. */
export const BASIC = /^[ -~]*$/

export function basicCharacters(glyphSet: GlyphSet, font: DocumentFont): BasicCharacters {
  const codes: string[] = []
  const advances = new Float64Array(LAST + 1)
  const pairs = new Int16Array(COUNT * COUNT).fill(UNKNOWN)
  for (let unit = FIRST; unit <= LAST; unit++) {
    const [shaped] = glyphSet.shape(String.fromCharCode(unit))
    if (shaped === undefined) throw new Error(`${font.name} has no character ${unit}`)
    codes[unit] = font.code(shaped.glyph)
    advances[unit] = shaped.glyph.advance
  }
  return {
    codes,
    advances,
    kerning: (left, right) => {
      const at = (left - FIRST) * COUNT + right - FIRST
      const known = pairs[at] ?? UNKNOWN
      if (known !== UNKNOWN) return known
      const [first] = glyphSet.shape(String.fromCharCode(left, right))
      const made = (first?.advance ?? 0) - (advances[left] ?? 0)
      pairs[at] = made
      return made
    },
  }
}

/** Breaks basic text into lines, without an object for each glyph. The same lines as from its glyphs. */
export function breakBasic(text: string, characters: BasicCharacters, limit: number): readonly BasicLine[] {
  const { codes, advances, kerning } = characters
  const lines: BasicLine[] = []
  /** The distances within the current word. */
  const kerns: number[] = []
  let operator = ''
  let shown = 0
  let filled = 0
  let pending = 0
  const endLine = (): void => {
    if (shown > 0) operator += pending === 0 ? ')]TJ ' : `)${-pending}]TJ `
    lines.push({ operator, width: filled, characters: shown })
    operator = ''
    shown = 0
    filled = 0
    pending = 0
  }
  for (let from = 0, to = 0; from < text.length; from = to) {
    let width = 0
    let last = 0
    for (to = from; to === from || (to < text.length && !breaksBefore(text, to)); to++) {
      const unit = text.charCodeAt(to)
      if (to > from) width += kerns[to - from - 1] = kerning(text.charCodeAt(to - 1), unit)
      last = advances[unit] ?? 0
      width += last
    }
    const isSpace = text.charCodeAt(to - 1) === FIRST
    if (filled > 0 && filled + (isSpace ? width - last : width) > limit) endLine()
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at)
      const kerned = at + 1 < to ? (kerns[at - from] ?? 0) : 0
      const advance = (advances[unit] ?? 0) + kerned
      // A word that is longer than a line is split.
      if (filled > 0 && filled + advance > limit && unit !== FIRST) endLine()
      if (shown === 0) operator += '[('
      else if (pending !== 0) operator += `)${-pending}(`
      operator += codes[unit] ?? ''
      shown++
      filled += advance
      pending = kerned
    }
  }
  endLine()
  return lines
}

/** The same breaks as `BREAKS`. */
function breaksBefore(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (before === FIRST || before === 0x2f) return true
  const isJoint = before === 0x2d || before === 0x2e || before === 0x5f
  if (!isJoint || at < 2 || !isWord(text.charCodeAt(at))) return false
  const first = text.charCodeAt(at - 2)
  return first === 0x29 || isWord(first)
}

const isWord = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f
