const ONE = String.raw`\p{Emoji}(?:\p{Emoji_Modifier}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?`
/** What may be one emoji (UTS #51, section 1.4.9), as source of a regular expression. */
export const EMOJI_CANDIDATE = String.raw`\p{Regional_Indicator}{2}|${ONE}(?:\u200d${ONE})*`

const CANDIDATES = new RegExp(`(${EMOJI_CANDIDATE})`, 'u')
// Every emoji of several characters contains one of these: flags, families, skin tones, keycaps, variation selectors.
const JOINED = /\u200d|\ufe0f|\u20e3|\p{Regional_Indicator}|\p{Emoji_Modifier}/u
const RECOMMENDED = /^\p{RGI_Emoji}$/v
const LONGEST = 40

/** Whether a candidate is an emoji that fonts are recommended to support. */
export const isEmoji = (candidate: string): boolean =>
  candidate.length <= LONGEST && RECOMMENDED.test(candidate)

/** Splits text into characters, and emoji that consist of several characters. */
export function splitEmoji(text: string): Iterable<string> {
  if (!JOINED.test(text)) return text
  return text
    .split(CANDIDATES)
    .flatMap((part, index) => (index % 2 === 1 && isEmoji(part) ? part : Array.from(part)))
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader sees as one character: a letter with its marks, a syllable, an emoji sequence. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
}
