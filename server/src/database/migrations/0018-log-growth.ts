import { type Kysely, sql } from 'kysely'

/** The size of the log at the end of each day. What is in the log already counts for the day of its last change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_days')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .execute()
  await sql`insert into log_days (day, size) select substr(updated_at, 1, 10), size from log where size > 0`.execute(
    db,
  )
}
