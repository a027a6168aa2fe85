import type { ShapedGlyph } from '../fonts/typeface.ts'
import type { DocumentFont } from './document-font.ts'
import { number, text } from './pdf-values.ts'

interface TextInput {
  readonly font: DocumentFont
  readonly size: number
  readonly x: number
  /** Of the baseline, from the bottom of the page. */
  readonly y: number
  readonly glyphs: readonly ShapedGlyph[]
  /** Letter spacing, in points. */
  readonly spacing?: number
}

export function textOperators({ font, size, x, y, glyphs, spacing = 0 }: TextInput): string {
  const shown: string[] = []
  let pieces = ''
  let codes = ''
  let rise = 0
  const flush = (): void => {
    if (codes !== '') pieces += `<${codes}>`
    codes = ''
    if (pieces !== '') shown.push(`[${pieces}]TJ`)
    pieces = ''
  }
  // In TJ a number moves to the left.
  const move = (thousandths: number): void => {
    if (thousandths === 0) return
    if (codes !== '') pieces += `<${codes}>`
    codes = ''
    pieces += number(-thousandths)
  }
  for (const { glyph, advance, dx, dy, missingText } of glyphs) {
    if (dy !== rise) {
      flush()
      shown.push(`${number((dy * size) / 1000)} Ts`)
      rise = dy
    }
    if (missingText === undefined) {
      move(dx)
      codes += font.code(glyph)
      move(advance - glyph.advance - dx)
    } else {
      flush()
      shown.push(`/Span <</ActualText ${text(missingText)}>> BDC <${font.code(glyph)}> Tj EMC`)
    }
  }
  flush()
  if (rise !== 0) shown.push('0 Ts')
  const before = spacing === 0 ? '' : `${number(spacing)} Tc `
  const after = spacing === 0 ? '' : ' 0 Tc'
  return `BT /${font.resource} ${number(size)} Tf ${before}${number(x)} ${number(y)} Td ${shown.join(' ')}${after} ET`
}

/** In thousandths of the type size. */
export const widthOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)
