/** Quotes a word of a printed command for pasting into a shell. Names in a kit are untrusted; control characters are escaped. */
export function shellQuote(text: string): string {
  if (/^[\w.,:/@%+-]+$/.test(text)) return text
  if (!UNPRINTABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // Quotes are escaped too, so that a shell without $'…' still reads one harmless word.
  const escaped = text.replaceAll(ESCAPED, (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  return `$'${escaped}'`
}

/** Quotes a file name, and prefixes `./` to one that looks like an option. */
export function shellQuotePath(path: string): string {
  return shellQuote(path.startsWith('-') ? `./${path}` : path)
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u
const ESCAPED = /[\p{C}\p{Zl}\p{Zp}'\\]/gu
