const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'
const LINES_AND_DIRECTION = '\\u2028-\\u202e\\u2066-\\u2069'
/** What one line of text cannot have, and the marks that turn the direction of what is beside them, as in Arabic and Hebrew names. */
export const HIDDEN = `${CONTROL}\\u061c\\u200e\\u200f${LINES_AND_DIRECTION}`
const WITHOUT_WIDTH = '\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb'

/** Characters that show nothing, and make a text look like another one. For the character class of a regular expression. */
export const INVISIBLE = {
  /** Embeddings, overrides and isolates: after U+202E, `gpj.exe` displays as `exe.jpg`. */
  direction: '\\u202a-\\u202e\\u2066-\\u2069',
  /** What one line of text cannot have: these, control characters, and separators of lines. */
  breaking: CONTROL + LINES_AND_DIRECTION,
  hidden: HIDDEN,
  /** A text looks the same with and without them. */
  withoutWidth: WITHOUT_WIDTH,
  /** These, and all that Unicode gives no shape. */
  unprintable: `\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}${WITHOUT_WIDTH}`,
} as const

const ALL_HIDDEN = new RegExp(`[${HIDDEN}]`, 'gu')

/** Shows hidden characters of an untrusted text as `\u202e`. */
export function escapeHidden(text: string): string {
  return text.replaceAll(ALL_HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
