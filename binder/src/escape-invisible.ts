import { INVISIBLE } from '@kitseal/kit/internal'
import { EMOJI_CANDIDATE, isEmoji } from './text/emoji-sequences.ts'

// Control characters, direction controls, joiners, unusual spaces and private-use characters. A name with one of them
// must not look like a name without it.
const HIDDEN = new RegExp(`[${INVISIBLE.unprintable}]|(?![ \\u3000])\\p{Zs}`, 'u')
// Combining marks stack up. No language uses more than three per letter; more of them would cover other lines.
const STACKED_MARKS = /(?<=[\p{Mn}\p{Me}]{3})[\p{Mn}\p{Me}]/u
// What an escape starts with, so that nobody can forge one.
const FORGED = /‹(?=U\+)/u
const ESCAPED = new RegExp(`${HIDDEN.source}|${STACKED_MARKS.source}|${FORGED.source}`, 'u')

// Invisible characters that change what is drawn: in emoji, between Arabic letters that would join, and after the sign that
// joins Indic consonants (the same places where RFC 5892, appendix A, allows them).
const JOINING = String.raw`[\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1]`
const JOINED = String.raw`[\u0622-\u064a\u0671-\u0673\u0675-\u06d3\u06d5]`
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
const DRAWN = [
  String.raw`\u200c(?<=${JOINING}\p{Mn}{0,3}\u200c)(?=${JOINED})`,
  String.raw`[\u200c\u200d](?<=${VIRAMA}.)(?=\p{L})`,
]
const ALL_ESCAPED = new RegExp(ESCAPED, 'gu')
const EXCEPTIONS_OR_ESCAPED = new RegExp(
  `(?<emoji>${EMOJI_CANDIDATE})|(?<drawn>${DRAWN.join('|')})|${ESCAPED.source}`,
  'gu',
)

/** Writes invisible and misplaced characters as ‹U+202E›. */
export function escapeInvisible(text: string): string {
  if (!ESCAPED.test(text)) return text
  return text.replaceAll(EXCEPTIONS_OR_ESCAPED, (found, emoji?: string, drawn?: string) => {
    if (drawn !== undefined) return drawn
    if (emoji === undefined) return escapeCharacter(found)
    return isEmoji(emoji) ? emoji : emoji.replaceAll(ALL_ESCAPED, escapeCharacter)
  })
}

/** The same, cut after so many characters. */
export function shortened(text: string, maxLength: number): string {
  const shown = [...escapeInvisible(text)]
  return shown.length <= maxLength ? shown.join('') : `${shown.slice(0, maxLength).join('')}…`
}

const escapeCharacter = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`
