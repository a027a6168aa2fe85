import type { ShapedGlyph } from '../fonts/typeface.ts'
import type { DocumentFont } from './document-font.ts'
import { number, text } from './pdf-values.ts'

interface TextInput {
  readonly font: DocumentFont
  readonly size: number
  readonly x: number
  /** The baseline, from the bottom of the page. */
  readonly y: number
  readonly glyphs: readonly ShapedGlyph[]
  /** Letter spacing, in points. */
  readonly spacing?: number
}

export function textOperators({ font, size, x, y, glyphs, spacing = 0 }: TextInput): string {
  const operators: string[] = []
  let pieces = ''
  let codes = ''
  let rise = 0
  const flush = (): void => {
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    if (pieces !== '') operators.push(`[${pieces}]TJ`)
    pieces = ''
  }
  // In a TJ array, positive numbers move left.
  const move = (thousandths: number): void => {
    if (thousandths === 0) return
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    pieces += number(-thousandths)
  }
  let inSpan = false
  const endSpan = (): void => {
    flush()
    if (inSpan) operators.push('EMC')
    inSpan = false
  }
  for (const { glyph, advance, dx, dy, actualText } of rightToLeft(glyphs)) {
    if (inSpan && actualText !== '') endSpan()
    if (actualText !== undefined && !inSpan) {
      flush()
      operators.push(`/Span <</ActualText ${text(actualText)}>> BDC`)
      inSpan = true
    }
    if (dy !== rise) {
      flush()
      operators.push(`${number((dy * size) / 1000)} Ts`)
      rise = dy
    }
    move(dx)
    codes += font.code(glyph)
    move(advance - glyph.advance - dx)
  }
  endSpan()
  if (rise !== 0) operators.push('0 Ts')
  const before = spacing === 0 ? '' : `${number(spacing)} Tc `
  const after = spacing === 0 ? '' : ' 0 Tc'
  return `BT /${font.resource} ${number(size)} Tf ${before}${number(x)} ${number(y)} Td ${operators.join(' ')}${after} ET`
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Places the boxes for missing right-to-left characters from right to left. They look the same in either order, but text
 * extraction goes by position.
 */
function rightToLeft(glyphs: readonly ShapedGlyph[]): readonly ShapedGlyph[] {
  if (!glyphs.some(isRightToLeft)) return glyphs
  const placed = [...glyphs]
  for (let start = 0; start < glyphs.length; start++) {
    let end = start
    for (let at = start; isRightToLeft(glyphs[at]) || (at > start && glyphs[at]?.glyph.text === ' '); at++) {
      if (isRightToLeft(glyphs[at])) end = at + 1
    }
    let remaining = widthOf(glyphs.slice(start, end))
    for (const [index, shaped] of glyphs.slice(start, end).entries()) {
      placed[start + index] = { ...shaped, dx: remaining - shaped.advance }
      remaining -= 2 * shaped.advance
    }
    if (end > start) start = end - 1
  }
  return placed
}

const isRightToLeft = (shaped: ShapedGlyph | undefined): boolean =>
  shaped?.actualText !== undefined && RIGHT_TO_LEFT.test(shaped.actualText)

/** In thousandths of the font size. */
export const widthOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)
