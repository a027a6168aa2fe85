import type { Kysely } from 'kysely'
import { type Change, inOneRoundTrip } from '../database/statements.ts'
import type { Database, OpenedSubmission, WordField } from '../database/schema.ts'

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

type Indexed = Pick<OpenedSubmission, 'workspace_id' | 'sequence'>

/** Four parameters each, and SQLite takes 32,766. */
const ROWS_PER_INSERT = 2000

/** At most one, because a label is short. */
export const labelWords = (
  trx: Kysely<Database>,
  submission: Indexed,
  label: string,
  tags: readonly string[],
): readonly Change[] =>
  insertions(trx, submission, [...inField('label', wordsIn([label])), ...inField('tag', tags.map(tagKey))])

/** Lets a submission be found by names of files. `except` has names that are indexed already. */
export function nameWords(
  trx: Kysely<Database>,
  submission: Indexed,
  names: Iterable<string>,
  except: Iterable<string> = [],
): readonly Change[] {
  const known = wordsIn(except)
  const words = [...wordsIn(names)].filter((word) => !known.has(word))
  return insertions(trx, submission, inField('path', words))
}

export async function replaceTags(
  trx: Kysely<Database>,
  submission: Indexed,
  tags: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('submission_words')
    .where('workspace_id', '=', submission.workspace_id)
    .where('sequence', '=', submission.sequence)
    .where('field', '=', 'tag')
    .execute()
  await inOneRoundTrip(trx, insertions(trx, submission, inField('tag', tags.map(tagKey))))
}

interface FoundBy {
  readonly field: WordField
  readonly word: string
}

const inField = (field: WordField, words: Iterable<string>): readonly FoundBy[] =>
  Array.from(words, (word) => ({ field, word }))

function insertions(
  trx: Kysely<Database>,
  { workspace_id, sequence }: Indexed,
  words: readonly FoundBy[],
): readonly Change[] {
  // Sorted, so that transactions that insert the same words do not deadlock.
  const rows = words
    .map(({ field, word }) => ({ workspace_id, field, word, sequence }))
    .toSorted((a, b) => (`${a.field} ${a.word}` < `${b.field} ${b.word}` ? -1 : 1))
  const changes: Change[] = []
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT)
    changes.push(
      trx
        .insertInto('submission_words')
        .values(rows.slice(first, first + ROWS_PER_INSERT))
        .onConflict((conflict) => conflict.doNothing()),
    )
  return changes
}
