// Control characters, direction controls, joiners, unusual spaces and private-use characters. A name with one of them
// must not look like a name without it.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![ \u3000])\p{Zs}/u
// Combining marks stack up. No language uses more than three per letter; more of them would cover other lines.
const STACKED_MARKS = /(?<=[\p{Mn}\p{Me}]{3})[\p{Mn}\p{Me}]/u
const ESCAPED = new RegExp(`${HIDDEN.source}|${STACKED_MARKS.source}`, 'gu')

/** Writes invisible and misplaced characters as ‹U+202E›. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(ESCAPED, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`
  })
}
