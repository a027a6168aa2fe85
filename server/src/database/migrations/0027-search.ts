import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * What submissions are filtered and sorted by: series, external ID, tags and metadata, and the words of labels, file names
 * and tags. Submissions of earlier releases are indexed by maintenance.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // Bytewise order, in which a prefix is a range. It is SQLite's default.
  const bytewise = sql.raw(dialect.name === 'postgres' ? 'text collate "C"' : 'text')
  for (const name of ['series', 'external_id', 'tags', 'metadata'])
    await db.schema.alterTable('submissions').addColumn(name, 'text').execute()
  await db.schema.alterTable('submissions').addColumn('label_key', bytewise).execute()
  await db.schema
    .alterTable('submissions')
    .addColumn('indexed', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update submissions set label_key = lower(label)`.execute(db)
  await db.schema
    .createTable('submission_words')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('word', bytewise, (c) => c.notNull())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('submission_words_primary_key', ['workspace_id', 'field', 'word', 'sequence'])
    .$call((table) => (dialect.name === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute()
  for (const index of INDEXES) await sql`create index ${sql.raw(index)}`.execute(db)
}

const INDEXES = [
  'submission_words_of_submission on submission_words (workspace_id, sequence, field)',
  'submissions_by_label on submissions (workspace_id, label_key, sequence)',
  'submissions_by_size on submissions (workspace_id, uploaded_bytes, sequence)',
  'submissions_by_time on submissions (workspace_id, created_at, sequence)',
  'submissions_by_series on submissions (workspace_id, series, sequence) where series is not null',
  'submissions_by_external_id on submissions (workspace_id, external_id, sequence) where external_id is not null',
  'submissions_not_indexed on submissions (submission_id) where indexed = 0',
  "jobs_by_status on jobs (workspace_id, status, job_id) where status <> 'ISSUED'",
]
