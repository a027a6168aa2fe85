import type { Font, PathCommand } from 'fontkit'
import type { Glyph } from './glyph-outline.ts'
import { glyphOutline } from './glyph-outline.ts'
import { movedPath } from './shape-run.ts'

// In thousandths of the font size.
const HEIGHT = 760
const BOTTOM = -40
const STROKE = 34
const SIDE = 40
const DIGIT_SIZE = 0.42

/** A box with the code point in two rows of hexadecimal digits, for a character that no font has. */
export function codePointBox(character: string, font: Font): Glyph {
  const scale = 1000 / font.unitsPerEm
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  const columns = code.length > 4 ? 3 : 2
  const digits = [...code.padStart(columns * 2, '0')].map((digit) =>
    font.glyphForCodePoint(digit.charCodeAt(0)),
  )
  const cell = Math.max(...digits.map(({ advanceWidth }) => advanceWidth)) * scale * DIGIT_SIZE
  const right = SIDE + STROKE * 2 + cell * columns + STROKE * 2
  const rows = [BOTTOM + HEIGHT / 2 + STROKE * 0.75, BOTTOM + STROKE * 2]
  const drawn = digits.flatMap((digit, index) => {
    const column = SIDE + STROKE * 2 + cell * (index % columns)
    const inset = (cell - digit.advanceWidth * scale * DIGIT_SIZE) / 2
    const small = digit.path.scale(scale * DIGIT_SIZE).commands
    return movedPath(small, column + inset, rows[Math.floor(index / columns)] ?? 0)
  })
  const outer = rectangle(SIDE, BOTTOM, right, BOTTOM + HEIGHT)
  const inner = rectangle(right - STROKE, BOTTOM + STROKE, SIDE + STROKE, BOTTOM + HEIGHT - STROKE)
  return {
    advance: Math.round(right + SIDE),
    outline: glyphOutline([...outer, ...inner, ...drawn], 1),
    text: character,
    key: `box ${code}`,
  }
}

/** Clockwise from the lower left corner. With left and right exchanged, it cuts a hole. */
const rectangle = (left: number, bottom: number, right: number, top: number): readonly PathCommand[] => [
  { command: 'moveTo', args: [left, bottom] },
  { command: 'lineTo', args: [left, top] },
  { command: 'lineTo', args: [right, top] },
  { command: 'lineTo', args: [right, bottom] },
]
