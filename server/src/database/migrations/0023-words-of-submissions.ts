import { type Kysely, sql } from 'kysely'

/** The words in the order of submissions, so that a backup finds new ones at the end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index submission_words_of_submission`.execute(db)
  await sql`create index submission_words_of_submission
    on submission_words (workspace_id, sequence, field, word)`.execute(db)
}
