import type { Glyph, PlacedGlyph } from '../fonts/glyph-outline.ts'
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
  const joined: string[] = []
  let rise = 0
  let pending = 0
  let isInArray = false
  let isInString = false
  const add = (piece: string): void => void joined.push(piece)
  const endString = (): void => {
    if (isInString) add(')')
    isInString = false
  }
  const startArray = (): void => {
    if (!isInArray) add('[')
    isInArray = true
  }
  // In a TJ array, positive numbers move left.
  const move = (): void => {
    if (pending === 0) return
    startArray()
    endString()
    add(number(-pending))
    pending = 0
  }
  const flush = (): void => {
    move()
    endString()
    if (isInArray) add(']TJ ')
    isInArray = false
  }
  const draw = (glyph: Glyph, advance: number, dx: number, dy: number): void => {
    if (dy !== rise) {
      flush()
      add(`${number((dy * size) / 1000)} Ts `)
      rise = dy
    }
    pending += dx
    if (pending !== 0) move()
    if (!isInString) {
      startArray()
      add('(')
      isInString = true
    }
    add(font.code(glyph))
    pending += advance - glyph.advance - dx
  }
  add(`BT /${font.resource} ${number(size)} Tf ${spacing === 0 ? '' : `${number(spacing)} Tc `}`)
  add(`${number(x)} ${number(y)} Td `)
  for (const shaped of glyphs) {
    const { glyph, missingCharacter = glyph.text } = shaped
    const isSeparated = glyph.parts !== undefined && !font.hasRoom(glyph)
    if (!isSeparated && missingCharacter === glyph.text) {
      draw(glyph, shaped.advance, shaped.dx, shaped.dy)
      continue
    }
    flush()
    add(`/Span <</ActualText ${text(missingCharacter)}>> BDC `)
    for (const part of isSeparated ? partsOf(shaped) : [shaped])
      draw(part.glyph, part.advance, part.dx, part.dy)
    flush()
    add('EMC ')
  }
  flush()
  if (rise !== 0) add('0 Ts ')
  add(spacing === 0 ? 'ET' : '0 Tc ET')
  return joined.join('')
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
