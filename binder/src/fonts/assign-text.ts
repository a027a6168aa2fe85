import { graphemesOf } from '../text/graphemes.ts'
import type { PlacedGlyph } from './font-file.ts'

export interface ShapedGlyph extends PlacedGlyph {
  /**
   * The text that extraction returns for this glyph, if it is not the glyph's own: the text of a whole cluster at its first
   * glyph, and nothing at the others.
   */
  readonly actualText?: string
  /** Whether no family has a glyph for it. */
  readonly isMissing?: boolean
}

/**
 * Marks the clusters of a run whose glyphs are not its characters one by one, such as a vowel that is drawn before its
 * consonant.
 * @param glyphs in reading order
 */
export function assignText(glyphs: readonly PlacedGlyph[], run: string): readonly ShapedGlyph[] {
  if (textOf(glyphs) === run) return glyphs
  return clustersOf(glyphs, run)?.flatMap(marked) ?? marked({ glyphs, text: run })
}

const textOf = (glyphs: readonly PlacedGlyph[]): string => glyphs.map(({ glyph }) => glyph.text).join('')

interface Cluster {
  readonly glyphs: readonly PlacedGlyph[]
  readonly text: string
}

/** Undefined if the glyphs do not stand for the characters of each cluster in turn. */
function clustersOf(glyphs: readonly PlacedGlyph[], run: string): readonly Cluster[] | undefined {
  const clusters: Cluster[] = []
  let from = 0
  let to = 0
  let missing = 0
  let text = ''
  for (const grapheme of graphemesOf(run)) {
    text += grapheme
    missing += grapheme.length
    for (; missing > 0 && to < glyphs.length; to++) missing -= glyphs[to]?.glyph.text.length ?? 0
    if (missing !== 0) continue
    clusters.push({ glyphs: glyphs.slice(from, to), text })
    from = to
    text = ''
  }
  return text === '' && to === glyphs.length ? clusters : undefined
}

function marked({ glyphs, text }: Cluster): readonly ShapedGlyph[] {
  if (textOf(glyphs) === text) return glyphs
  return glyphs.map((glyph, index) => ({ ...glyph, actualText: index === 0 ? text : '' }))
}
