import { type Kysely, sql } from 'kysely'

/** Uploads that arrive over several requests. A submission counts those that are not finished, with their sizes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('submissions')
    .addColumn('open_uploads', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('submissions')
    .addColumn('reserved_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('resumable_uploads')
    .addColumn('upload_id', 'text', (c) => c.primaryKey())
    .addColumn('submission_id', 'text', (c) => c.notNull().references('submissions.submission_id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('resume_key', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('offset_bytes', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text')
    .addColumn('crc32', 'bigint')
    .addColumn('finished_at', 'text')
    .addColumn('removed_at', 'text')
    .addColumn('claim', 'text')
    .addColumn('claimed_until', 'text')
    .execute()
  await sql`create index resumable_uploads_of_submission on resumable_uploads (submission_id, created_at)`.execute(
    db,
  )
  await sql`create index submissions_with_uploads on submissions (submission_id) where open_uploads > 0`.execute(
    db,
  )
  await sql`create index resumable_uploads_by_expiry on resumable_uploads (expires_at)`.execute(db)
}
