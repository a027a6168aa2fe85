const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'
const LINES_AND_DIRECTION = '\\u2028-\\u202e\\u2066-\\u2069'

/** Characters that show nothing, and make a text look like another one. For the character class of a regular expression. */
export const INVISIBLE = {
  /** Embeddings, overrides and isolates: after U+202E, `gpj.exe` displays as `exe.jpg`. */
  direction: '\\u202a-\\u202e\\u2066-\\u2069',
  /** What one line of text cannot have: these, control characters, and separators of lines. */
  breaking: CONTROL + LINES_AND_DIRECTION,
  /** Also the marks that turn the direction of what is beside them. Names in Arabic and Hebrew have them. */
  hidden: `${CONTROL}\\u061c\\u200e\\u200f${LINES_AND_DIRECTION}`,
} as const

const HIDDEN = new RegExp(`[${INVISIBLE.hidden}]`, 'gu')

/** Shows hidden characters of an untrusted text as `\u202e`. */
export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
