const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader sees as one character: a letter with its marks, a syllable, an emoji sequence. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}
