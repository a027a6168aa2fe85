// Characters that do not show, or that change how their neighbours show: controls, marks of direction, joiners, spaces
// that look like a space, private characters. A name that holds one must not look like a name that does not.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![ \u3000])\p{Zs}/u
// Marks stand above one another. No language has more than three on a letter; a heap of them covers the lines around it.
const HEAPED = /(?<=[\p{Mn}\p{Me}]{3})[\p{Mn}\p{Me}]/u
const WRITTEN_OUT = new RegExp(`${HIDDEN.source}|${HEAPED.source}`, 'gu')

/** The text with every character that would not show, or not in its place, written as ‹U+202E›. */
export function visibleText(text: string): string {
  return text.replaceAll(WRITTEN_OUT, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`
  })
}
