let segmenter: Intl.Segmenter | undefined

/** What a reader sees as one character: a letter with its marks, a syllable, an emoji sequence. */
export function graphemesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
