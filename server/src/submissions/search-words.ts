const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** After a digit, and before a capital: `PayrollQ3` also has the words `payroll` and `q3`. */
const PART_STARTS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{L})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Written without spaces, so that a word can start anywhere. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u
const MAX_WORD_LENGTH = 40
const MAX_SPLIT_LENGTH = 200
const MAX_SUFFIXES = 30
const MAX_TERMS = 8
const MIN_TERM_LENGTH = 2

/** The words that a text is found by: its words, and their parts. */
export function wordsIn(texts: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>()
  for (const text of texts) for (const word of text.normalize('NFKC').match(WORD) ?? []) addWord(words, word)
  return words
}

function addWord(words: Set<string>, word: string): void {
  words.add(keyOf(word))
  if (UNSPACED.test(word)) for (const suffix of suffixes(word)) words.add(keyOf(suffix))
  for (const part of word.slice(0, MAX_SPLIT_LENGTH).split(PART_STARTS))
    if (part.length >= MIN_TERM_LENGTH) words.add(keyOf(part))
}

function suffixes(word: string): readonly string[] {
  const characters = [...word].slice(0, MAX_SUFFIXES)
  return characters.map((_, index) => characters.slice(index).join(''))
}

/** The terms of a search. Each is the start of a word. Undefined if the text has no term of at least two characters. */
export function termsOf(text: string): readonly string[] | undefined {
  const terms = (text.normalize('NFKC').match(WORD) ?? []).map(keyOf)
  const long = terms.filter((term) => term.length >= MIN_TERM_LENGTH || UNSPACED.test(term))
  return long.length === 0 ? undefined : [...new Set(long)].slice(0, MAX_TERMS)
}

/** Without case and accents. */
const keyOf = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .slice(0, MAX_WORD_LENGTH)
    .toWellFormed()

/** As stored and as searched. */
export const tagKey = (tag: string): string => tag.toLowerCase()
