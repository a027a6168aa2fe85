import { type Kysely, sql } from 'kysely'

/** What the client said about an upload, to be returned as it was. Unknown for uploads of an earlier release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resumable_uploads add column metadata text`.execute(db)
}
