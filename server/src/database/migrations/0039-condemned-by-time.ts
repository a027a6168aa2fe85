import { type Kysely, sql } from 'kysely'

/** Condemned objects by time, so that a slice of the orphan sweep reads only those that are due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index condemned_objects_due on condemned_objects (condemned_at, sha256)
    where removing_at is null`.execute(db)
  await sql`create index condemned_objects_removing on condemned_objects (removing_at, sha256)
    where removing_at is not null`.execute(db)
}
