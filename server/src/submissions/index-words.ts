import type { Kysely } from 'kysely'
import type { Change } from '../database/in-one-round-trip.ts'
import type { Database, OpenedSubmission, WordField } from '../database/schema.ts'
import { tagKey, wordsIn } from './search-words.ts'

type Indexed = Pick<OpenedSubmission, 'workspace_id' | 'sequence'>

/** Four parameters each, and SQLite takes 32,766. */
const ROWS_PER_INSERT = 2000

/** Lets a submission be found by its label and tags. */
export const indexLabel = (
  trx: Kysely<Database>,
  submission: Indexed,
  label: string,
  tags: readonly string[],
): Promise<void> => executeAll(labelWords(trx, submission, label, tags))

/** Lets a submission be found by names of files. `except` has names that are indexed already. */
export const indexNames = (
  trx: Kysely<Database>,
  submission: Indexed,
  names: Iterable<string>,
  except: Iterable<string> = [],
): Promise<void> => executeAll(nameWords(trx, submission, names, except))

/** At most one, because a label is short. */
export const labelWords = (
  trx: Kysely<Database>,
  submission: Indexed,
  label: string,
  tags: readonly string[],
): readonly Change[] =>
  wordInsertions(trx, submission, [
    ...Array.from(wordsIn([label]), (word) => ['label', word] as const),
    ...tags.map((tag) => ['tag', tagKey(tag)] as const),
  ])

export function nameWords(
  trx: Kysely<Database>,
  submission: Indexed,
  names: Iterable<string>,
  except: Iterable<string> = [],
): readonly Change[] {
  const known = wordsIn(except)
  const words = [...wordsIn(names)].filter((word) => !known.has(word))
  return wordInsertions(
    trx,
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
  await executeAll(
    wordInsertions(
      trx,
      submission,
      tags.map((tag) => ['tag', tagKey(tag)] as const),
    ),
  )
}

function wordInsertions(
  trx: Kysely<Database>,
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
      trx
        .insertInto('submission_words')
        .values(rows.slice(first, first + ROWS_PER_INSERT))
        .onConflict((conflict) => conflict.doNothing()),
    )
  return changes
}

async function executeAll(changes: readonly Change[]): Promise<void> {
  for (const each of changes) await each.execute()
}
