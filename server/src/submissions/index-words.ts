import type { Kysely } from 'kysely'
import { type Change, insertion, makeChanges } from '../database/changes.ts'
import type { Database, SubmissionsTable, WordField } from '../database/schema.ts'
import { tagKey, wordsIn } from './search-words.ts'

type Indexed = Pick<SubmissionsTable, 'workspace_id' | 'sequence'>

/** Four parameters each, and SQLite takes 32,766. */
const ROWS_PER_INSERT = 2000

/** Lets a submission be found by names of files. `except` has names that are indexed already. */
export const indexNames = (
  trx: Kysely<Database>,
  submission: Indexed,
  names: Iterable<string>,
  except: Iterable<string> = [],
): Promise<void> => insertWords(trx, nameWords(submission, names, except))

/** Each to be made last, because words that are indexed already are not inserted. */
export const labelWords = (submission: Indexed, label: string, tags: readonly string[]): readonly Change[] =>
  wordInsertions(submission, [
    ...Array.from(wordsIn([label]), (word) => ['label', word] as const),
    ...tags.map((tag) => ['tag', tagKey(tag)] as const),
  ])

export function nameWords(
  submission: Indexed,
  names: Iterable<string>,
  except: Iterable<string> = [],
): readonly Change[] {
  const known = wordsIn(except)
  const words = [...wordsIn(names)].filter((word) => !known.has(word))
  return wordInsertions(
    submission,
    words.map((word) => ['path', word] as const),
  )
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
  await insertWords(
    trx,
    wordInsertions(
      submission,
      tags.map((tag) => ['tag', tagKey(tag)] as const),
    ),
  )
}

function wordInsertions(
  { workspace_id, sequence }: Indexed,
  words: readonly (readonly [WordField, string])[],
): readonly Change[] {
  // Sorted, so that transactions that insert the same words do not deadlock.
  const rows = words
    .map(([field, word]) => ({ workspace_id, field, word, sequence }))
    .toSorted((a, b) => (a.field === b.field ? (a.word < b.word ? -1 : 1) : a.field < b.field ? -1 : 1))
  const changes: Change[] = []
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT)
    changes.push(
      insertion('submission_words', rows.slice(first, first + ROWS_PER_INSERT), ' on conflict do nothing'),
    )
  return changes
}

async function insertWords(trx: Kysely<Database>, insertions: readonly Change[]): Promise<void> {
  for (const each of insertions) await makeChanges(trx, [each])
}
