import type { PlacedGlyph } from '../fonts/glyph.ts'
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
  const draw = ({ glyph, advance, dx, dy }: PlacedGlyph): void => {
    if (dy !== rise) {
      flush()
      operators.push(`${number((dy * size) / 1000)} Ts`)
      rise = dy
    }
    pending += dx
    move()
    codes += font.code(glyph)
    pending += advance - glyph.advance - dx
  }
  for (const shaped of glyphs) {
    const { glyph, missingCharacter = glyph.text } = shaped
    const isSeparated = glyph.parts !== undefined && !font.hasRoom(glyph)
    if (!isSeparated && missingCharacter === glyph.text) {
      draw(shaped)
      continue
    }
    flush()
    operators.push(`/Span <</ActualText ${text(missingCharacter)}>> BDC`)
    for (const part of isSeparated ? partsOf(shaped) : [shaped]) draw(part)
    flush()
    operators.push('EMC')
  }
  flush()
  if (rise !== 0) operators.push('0 Ts')
  const before = spacing === 0 ? '' : `${number(spacing)} Tc `
  const after = spacing === 0 ? '' : ' 0 Tc'
  return `BT /${font.resource} ${number(size)} Tf ${before}${number(x)} ${number(y)} Td ${operators.join(' ')}${after} ET`
}

function partsOf({ glyph, advance, dx, dy }: ShapedGlyph): readonly PlacedGlyph[] {
  const parts = glyph.parts ?? []
  return parts.map((part, index) => ({
    glyph: part.glyph,
    advance: index === parts.length - 1 ? advance : 0,
    dx: dx + part.dx,
    dy: dy + part.dy,
  }))
}

/** In thousandths of the font size. */
export const widthOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)
