import type { ShapedGlyph } from '../fonts/typeface.ts'
import type { DocumentFont } from './document-font.ts'
import { number, text } from './pdf-values.ts'

interface TextInput {
  readonly font: DocumentFont
  readonly size: number
  readonly x: number
  /** The baseline, from the bottom of the page. */
  readonly y: number
  /** In reading order. */
  readonly glyphs: readonly ShapedGlyph[]
  /** Letter spacing, in points. */
  readonly spacing?: number
}

export function textOperators({ font, size, x, y, glyphs, spacing = 0 }: TextInput): string {
  const operators: string[] = []
  let pieces = ''
  let codes = ''
  let rise = 0
  let pending = 0
  // In a TJ array, positive numbers move left.
  const move = (): void => {
    if (pending === 0) return
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    pieces += number(-pending)
    pending = 0
  }
  const flush = (): void => {
    move()
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    if (pieces !== '') operators.push(`[${pieces}]TJ`)
    pieces = ''
  }
  for (const { glyph, advance, dx, dy, missingCharacter } of glyphs) {
    const isOtherText = missingCharacter !== undefined && missingCharacter !== glyph.text
    if (isOtherText) {
      flush()
      operators.push(`/Span <</ActualText ${text(missingCharacter)}>> BDC`)
    }
    if (dy !== rise) {
      flush()
      operators.push(`${number((dy * size) / 1000)} Ts`)
      rise = dy
    }
    pending += dx
    move()
    codes += font.code(glyph)
    pending += advance - glyph.advance - dx
    if (!isOtherText) continue
    flush()
    operators.push('EMC')
  }
  flush()
  if (rise !== 0) operators.push('0 Ts')
  const before = spacing === 0 ? '' : `${number(spacing)} Tc `
  const after = spacing === 0 ? '' : ' 0 Tc'
  return `BT /${font.resource} ${number(size)} Tf ${before}${number(x)} ${number(y)} Td ${operators.join(' ')}${after} ET`
}

/** In thousandths of the font size. */
export const widthOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)
