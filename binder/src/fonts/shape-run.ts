import type { Font, Glyph as FontkitGlyph, PathCommand } from 'fontkit'
import { graphemesOf } from '../text/emoji-sequences.ts'

/**
 * A glyph. The glyphs of a cluster are joined to one, such as a letter and its dots, or a consonant and the vowel that is
 * drawn before it. So each has its text, in every reader.
 */
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
  // Without a second argument, fontkit asks for the outline only.
  font.getGlyph = (...[id, ...characters]: Parameters<Font['getGlyph']>) =>
    characters.length === 0
      ? glyphOf(id)
      : (new GlyphUse(glyphOf(id), characters[0] ?? []) as unknown as FontkitGlyph)
  guardAnchors(font)
  return font
}

/** fontkit caches a glyph with the characters of its first use. Shaping needs those of this use. */
class GlyphUse implements Pick<
  FontkitGlyph,
  'id' | 'codePoints' | 'advanceWidth' | 'path' | 'bbox' | 'cbox'
> {
  readonly id: number
  readonly codePoints: number[]
  readonly advanceWidth: number
  readonly #glyph: FontkitGlyph

  constructor(glyph: FontkitGlyph, codePoints: number[]) {
    this.id = glyph.id
    this.codePoints = codePoints
    this.advanceWidth = glyph.advanceWidth
    this.#glyph = glyph
  }

  get path(): FontkitGlyph['path'] {
    return this.#glyph.path
  }

  get bbox(): FontkitGlyph['bbox'] {
    return this.#glyph.bbox
  }

  get cbox(): FontkitGlyph['cbox'] {
    return this.#glyph.cbox
  }
}

interface Internals {
  readonly _layoutEngine: { readonly engine?: { readonly GPOSProcessor?: MarkPositioner | null } }
}

interface MarkPositioner {
  applyAnchor(mark: { readonly markAnchor: unknown }, baseAnchor: unknown, base: number): void
}

/** A font may leave out anchors: the mark then stays where it is. fontkit throws. */
function guardAnchors(font: Font): void {
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
  const { glyphs, positions } = font.layout(inDrawingOrder(text), features, undefined, undefined, direction)
  let pen = 0
  const drawn = glyphs.map((glyph, index) => {
    const { xAdvance, xOffset, yOffset } = positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 }
    const one = { glyph, pen, advance: xAdvance, x: pen + xOffset, y: yOffset }
    pen += xAdvance
    return one
  })
  const groups = clustersOf(direction === 'rtl' ? drawn.toReversed() : drawn, text).map(joined)
  return direction === 'rtl' ? groups.toReversed() : groups
}

interface Drawn {
  readonly glyph: FontkitGlyph
  readonly pen: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

interface Cluster {
  readonly glyphs: readonly [Drawn, ...Drawn[]]
  readonly text: string
}

/** @param drawn in reading order */
function clustersOf(drawn: readonly Drawn[], text: string): readonly Cluster[] {
  const clusters: Cluster[] = []
  let from = 0
  let to = 0
  let missing = 0
  let taken = ''
  const take = (): void => {
    const [first, ...others] = drawn.slice(from, to)
    // Without a glyph of its own, text belongs to the cluster before.
    const cluster = first === undefined ? clusters.pop() : { glyphs: [first, ...others] as const, text: '' }
    if (cluster !== undefined) clusters.push({ glyphs: cluster.glyphs, text: cluster.text + taken })
    from = to
    taken = ''
    missing = 0
  }
  for (const grapheme of graphemesOf(text)) {
    taken += grapheme
    missing += inDrawingOrder(grapheme).length
    for (; to < drawn.length && missing > 0; to++) missing -= textOf(drawn[to]).length
    while (to < drawn.length && textOf(drawn[to]) === '') to++
    if (missing === 0) take()
  }
  to = drawn.length
  if (from < to || taken !== '') take()
  return clusters
}

const textOf = (drawn: Drawn | undefined): string => String.fromCodePoint(...(drawn?.glyph.codePoints ?? []))

function joined({ glyphs, text }: Cluster): RunGlyph {
  const [main, ...others] = glyphs
  const left = glyphs.reduce((least, { pen }) => Math.min(least, pen), main.pen)
  const advance = glyphs.reduce((total, one) => total + one.advance, 0)
  return {
    id: main.glyph.id,
    text,
    width: others.length === 0 ? main.glyph.advanceWidth : advance,
    advance,
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
