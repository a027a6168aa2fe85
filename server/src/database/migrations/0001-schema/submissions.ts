import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, primaryKey, refersTo, required, stay } from '../parts.ts'

/** Submissions, the profiles that they are checked with, the words that they are found by, and legal holds. */
export async function createSubmissions(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('profiles')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('profile', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('document', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('ended_at', 'text')
    .addPrimaryKeyConstraint('profiles_primary_key', ['workspace_id', 'profile', 'version'])
    .execute()
  await db.schema
    .createTable('submissions')
    .addColumn('submission_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('job_id', 'text', (c) => c.notNull().unique().references('jobs.job_id'))
    .addColumn('label', 'text', required)
    .addColumn('profile', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('uploads', 'integer', required)
    .addColumn('uploaded_bytes', 'bigint', required)
    .addColumn('replaces_kit_id', 'text', (c) => c.references('kits.kit_id'))
    .addColumn('accept', 'text')
    .addColumn('open_uploads', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('reserved_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('profile_version', 'integer')
    .addColumn('series', 'text')
    .addColumn('external_id', 'text')
    .addColumn('tags', 'text')
    .addColumn('metadata', 'text')
    .addColumn('label_key', 'text')
    .addColumn('indexed', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('submission_words')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('field', 'text', required)
    .addColumn('word', 'text', required)
    .addColumn('sequence', 'bigint', required)
    .addPrimaryKeyConstraint('submission_words_primary_key', ['workspace_id', 'field', 'word', 'sequence'])
    .$call((table) => (dialect.name === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute()
  await db.schema
    .createTable('holds')
    .addColumn('submission_id', 'text', (c) => c.primaryKey().references('submissions.submission_id'))
    .addColumn('reason', 'text', required)
    .addColumn('placed_at', 'text', required)
    .addColumn('placed_by', 'text', required)
    .execute()
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
}

const INDEXES = [
  'unique index profiles_current on profiles (workspace_id, profile) where ended_at is null',
  'unique index submissions_of_workspace on submissions (workspace_id, sequence)',
  'index submissions_by_replaced_kit on submissions (replaces_kit_id) where replaces_kit_id is not null',
  'index submissions_with_uploads on submissions (submission_id) where open_uploads > 0',
  'index submissions_by_label on submissions (workspace_id, label_key, sequence)',
  'index submissions_by_size on submissions (workspace_id, uploaded_bytes, sequence)',
  'index submissions_by_time on submissions (workspace_id, created_at, sequence)',
  'index submissions_by_series on submissions (workspace_id, series, sequence) where series is not null',
  `index submissions_by_external_id on submissions (workspace_id, external_id, sequence)
    where external_id is not null`,
  'index submissions_not_indexed on submissions (submission_id) where indexed = 0',
  'index submission_words_of_submission on submission_words (workspace_id, sequence, field)',
]

const GUARDS = [
  stay('profiles', 'versions of profiles are not deleted'),
  {
    name: 'profiles_fixed',
    on: 'profiles',
    event: 'update',
    when: `${changed('workspace_id', 'profile', 'version', 'document', 'created_at')}
      or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)`,
    message: 'a version of a profile does not change',
  },
  stay('submissions', 'submissions are not deleted'),
  {
    name: 'submissions_fixed',
    on: 'submissions',
    event: 'update',
    when: changed('submission_id', 'workspace_id', 'sequence', 'job_id', 'label', 'profile', 'created_at'),
    message: 'what a submission was created with stays',
  },
  {
    name: 'submissions_profile_version',
    on: 'submissions',
    event: 'update',
    when: changed('profile_version'),
    message: 'what a submission was created with stays',
  },
  {
    name: 'submissions_replaces_fixed',
    on: 'submissions',
    event: 'update',
    when: changed('replaces_kit_id'),
    message: 'what a submission replaces stays',
  },
  {
    name: 'submissions_replaces_revoked',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and not exists (select 1 from kits
      join jobs on jobs.kit_id = kits.kit_id join signing_keys on signing_keys.kid = kits.public_key_kid
      where kits.kit_id = new.replaces_kit_id and jobs.workspace_id = new.workspace_id
        and jobs.status = 'ISSUED' and signing_keys.state = 'revoked')`,
    message: 'only a kit of the same workspace whose key is revoked is replaced',
  },
  {
    name: 'submissions_replaces_once',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and exists (select 1 from submissions others
      join jobs on jobs.job_id = others.job_id
      where others.replaces_kit_id = new.replaces_kit_id and jobs.status <> 'FAIL')`,
    message: 'a kit is replaced once',
  },
  {
    name: 'holds_begin',
    on: 'holds',
    event: 'insert',
    when: `exists (select 1 from submissions join jobs on jobs.job_id = submissions.job_id
      where submissions.submission_id = new.submission_id and jobs.status = 'EXPIRED')`,
    message: 'evidence that is gone cannot be held',
  },
] as const
