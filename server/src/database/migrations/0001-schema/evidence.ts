import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { createGuards, createIndexes, fixed, primaryKey, refersTo, required } from '../parts.ts'
import { notCondemned } from './objects.ts'

/** The files of submissions, and uploads that arrive over several requests. */
export async function createEvidence(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('evidence')
    .addColumn('submission_id', 'text', refersTo('submissions.submission_id'))
    .addColumn('position', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('sha256', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('crc32', 'bigint', required)
    .addColumn('media_type', 'text', required)
    .addColumn('received_by', 'text')
    .addPrimaryKeyConstraint('evidence_primary_key', ['submission_id', 'position'])
    .execute()
  await db.schema
    .createTable('resumable_uploads')
    .addColumn('upload_id', 'text', primaryKey)
    .addColumn('submission_id', 'text', refersTo('submissions.submission_id'))
    .addColumn('name', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('resume_key', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('offset_bytes', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('sha256', 'text')
    .addColumn('crc32', 'bigint')
    .addColumn('finished_at', 'text')
    .addColumn('removed_at', 'text')
    .addColumn('claim', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('metadata', sql`text`)
    .execute()
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
}

const INDEXES = [
  'index evidence_by_object on evidence (sha256)',
  'index resumable_uploads_of_submission on resumable_uploads (submission_id, created_at)',
  'index resumable_uploads_by_expiry on resumable_uploads (expires_at)',
  `index resumable_uploads_open on resumable_uploads (upload_id)
    where finished_at is null and removed_at is null`,
  'index resumable_uploads_claimed on resumable_uploads (upload_id) where claim is not null',
]

const isDraft = (row: 'new' | 'old'): string =>
  `exists (select 1 from submissions join jobs on jobs.job_id = submissions.job_id
    where submissions.submission_id = ${row}.submission_id and jobs.status = 'DRAFT')`

const GUARDS = [
  {
    name: 'evidence_open',
    on: 'evidence',
    event: 'insert',
    when: `not ${isDraft('new')}`,
    message: 'a sealed submission takes no more evidence',
  },
  fixed('evidence', 'evidence does not change'),
  {
    name: 'evidence_stay',
    on: 'evidence',
    event: 'delete',
    when: `not ${isDraft('old')}`,
    message: 'sealed evidence is not deleted',
  },
  notCondemned('evidence'),
] as const
