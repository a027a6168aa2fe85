/**
 * A word of a command line that is printed to be pasted. Names come from whoever supplied the evidence: whatever a shell
 * would act on is quoted, and characters that a terminal would act on are spelled out.
 */
export function shellWord(text: string): string {
  if (/^[\w.,:/@%+-]+$/.test(text)) return text
  if (!UNPRINTABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // No quote stands inside, so that a shell which does not know $'…' still takes it as one harmless word.
  const spelled = text.replaceAll(SPELLED_OUT, (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  return `$'${spelled}'`
}

/** The same for the name of a file, which is not to be taken for an option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path)
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u
const SPELLED_OUT = /[\p{C}\p{Zl}\p{Zp}'\\]/gu
