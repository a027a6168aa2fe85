import type { Font, Glyph as FontkitGlyph, PathCommand } from 'fontkit'

/** A glyph, or several that together represent the same characters, such as a letter and its dots. */
export interface RunGlyph {
  readonly id: number
  readonly text: string
  /** In font units, like all distances here. */
  readonly width: number
  readonly advance: number
  readonly dx: number
  readonly dy: number
  /** Drawn with the glyph, at a distance from it. */
  readonly attached: readonly { readonly id: number; readonly dx: number; readonly dy: number }[]
}

export type Direction = 'ltr' | 'rtl'

/** Prepares a font for `shapeRun`. */
export function openForShaping(font: Font): Font {
  const glyphOf = font.getGlyph.bind(font)
  // fontkit caches a glyph with the characters of its first use. Shaping needs those of this use.
  font.getGlyph = (id, codePoints = []) => {
    const glyph = glyphOf(id, codePoints)
    return Object.create(glyph, {
      codePoints: { value: codePoints, writable: true },
      advanceWidth: { value: glyph.advanceWidth },
    })
  }
  return font
}

interface Internals {
  readonly _layoutEngine: { readonly engine?: { readonly GPOSProcessor?: MarkPositioner | null } }
}

interface MarkPositioner {
  applyAnchor(mark: { readonly markAnchor: unknown }, baseAnchor: unknown, base: number): void
}

const guarded = new WeakSet<Font>()

/** A font may leave out anchors: the mark then stays where it is. fontkit throws. */
function guardAnchors(font: Font): void {
  if (guarded.has(font)) return
  guarded.add(font)
  const { _layoutEngine: layoutEngine } = font as unknown as Internals
  const positioner = layoutEngine.engine?.GPOSProcessor
  if (positioner === undefined || positioner === null) return
  const apply = positioner.applyAnchor.bind(positioner)
  positioner.applyAnchor = (mark, baseAnchor, base) => {
    if (mark.markAnchor !== null && baseAnchor !== null) apply(mark, baseAnchor, base)
  }
}

// Reorderings that HarfBuzz makes and fontkit does not. In Thai and Lao, the circle of AM goes below the tone mark. In Arabic,
// hamza and shadda are closer to the letter than vowel signs, although Unicode sorts them behind.
const TONE_AND_AM = /([\u0e48-\u0e4b]+)\u0e33|([\u0ec8-\u0ecb]+)\u0eb3/g
const ARABIC_MARKS = /[\u064b-\u0655\u0658\u0670]{2,}/g

function inDrawingOrder(text: string): string {
  return text
    .replaceAll(TONE_AND_AM, (_, thai?: string, lao?: string) =>
      thai === undefined ? `\u0ecd${lao}\u0eb2` : `\u0e4d${thai}\u0e32`,
    )
    .replaceAll(ARABIC_MARKS, (marks) =>
      Array.from(marks)
        .toSorted((a, b) => distance(a) - distance(b))
        .join(''),
    )
}

const distance = (mark: string): number => (/[\u0654\u0655\u0658]/.test(mark) ? 0 : mark === '\u0651' ? 1 : 2)

/** Shapes text of one script. @returns glyphs from left to right */
export function shapeRun(
  font: Font,
  text: string,
  direction: Direction,
  features?: Record<string, boolean>,
): readonly RunGlyph[] {
  guardAnchors(font)
  const { glyphs, positions } = font.layout(inDrawingOrder(text), features, undefined, undefined, direction)
  let pen = 0
  const drawn = glyphs.map((glyph, index) => {
    const { xAdvance, xOffset, yOffset } = positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 }
    const one = { glyph, pen, advance: xAdvance, x: pen + xOffset, y: yOffset }
    pen += xAdvance
    return one
  })
  const shaped = groupsOf(direction === 'rtl' ? drawn.toReversed() : drawn).map(merged)
  return direction === 'rtl' ? shaped.toReversed() : shaped
}

interface Drawn {
  readonly glyph: FontkitGlyph
  readonly pen: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

/** In reading order, a glyph without characters belongs to the one before it. */
function groupsOf(drawn: readonly Drawn[]): readonly Drawn[][] {
  const groups: Drawn[][] = []
  for (const one of drawn) {
    const last = groups.at(-1)
    if (one.glyph.codePoints.length === 0 && last !== undefined) last.push(one)
    else groups.push([one])
  }
  return groups
}

function merged(group: readonly Drawn[]): RunGlyph {
  const [main, ...others] = group as readonly [Drawn, ...Drawn[]]
  const left = group.reduce((least, { pen }) => Math.min(least, pen), main.pen)
  return {
    id: main.glyph.id,
    text: String.fromCodePoint(...main.glyph.codePoints),
    width: main.glyph.advanceWidth,
    advance: group.reduce((total, { advance }) => total + advance, 0),
    dx: main.x - left,
    dy: main.y,
    attached: others.map(({ glyph, x, y }) => ({ id: glyph.id, dx: x - main.x, dy: y - main.y })),
  }
}

export const movedPath = (commands: readonly PathCommand[], dx: number, dy: number): readonly PathCommand[] =>
  commands.map(({ command, args }) => ({
    command,
    args: args.map((value, index) => value + (index % 2 === 0 ? dx : dy)),
  }))
