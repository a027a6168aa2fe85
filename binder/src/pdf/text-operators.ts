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
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    if (pieces !== '') shown.push(`[${pieces}]TJ`)
    pieces = ''
  }
  // In TJ a number moves to the left.
  const move = (thousandths: number): void => {
    if (thousandths === 0) return
    if (codes !== '') pieces += `(${codes})`
    codes = ''
    pieces += number(-thousandths)
  }
  let isSaid = false
  const endSaid = (): void => {
    flush()
    if (isSaid) shown.push('EMC')
    isSaid = false
  }
  for (const { glyph, advance, dx, dy, said } of fromTheRight(glyphs)) {
    if (isSaid && said !== '') endSaid()
    if (said !== undefined && !isSaid) {
      flush()
      shown.push(`/Span <</ActualText ${text(said)}>> BDC`)
      isSaid = true
    }
    if (dy !== rise) {
      flush()
      shown.push(`${number((dy * size) / 1000)} Ts`)
      rise = dy
    }
    move(dx)
    codes += font.code(glyph)
    move(advance - glyph.advance - dx)
  }
  endSaid()
  if (rise !== 0) shown.push('0 Ts')
  const before = spacing === 0 ? '' : `${number(spacing)} Tc `
  const after = spacing === 0 ? '' : ' 0 Tc'
  return `BT /${font.resource} ${number(size)} Tf ${before}${number(x)} ${number(y)} Td ${shown.join(' ')}${after} ET`
}

const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Boxes in the place of letters that are written from right to left, the first of them on the right. They look the same in
 * either order; but who takes the text out of a document goes by where its letters stand.
 */
function fromTheRight(glyphs: readonly ShapedGlyph[]): readonly ShapedGlyph[] {
  if (!glyphs.some(isTurned)) return glyphs
  const turned = [...glyphs]
  for (let start = 0; start < glyphs.length; start++) {
    let end = start
    for (let at = start; isTurned(glyphs[at]) || (at > start && glyphs[at]?.glyph.text === ' '); at++) {
      if (isTurned(glyphs[at])) end = at + 1
    }
    let room = widthOf(glyphs.slice(start, end))
    for (const [index, shaped] of glyphs.slice(start, end).entries()) {
      turned[start + index] = { ...shaped, dx: room - shaped.advance }
      room -= 2 * shaped.advance
    }
    if (end > start) start = end - 1
  }
  return turned
}

const isTurned = (shaped: ShapedGlyph | undefined): boolean =>
  shaped?.said !== undefined && FROM_THE_RIGHT.test(shaped.said)

/** In thousandths of the type size. */
export const widthOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)
