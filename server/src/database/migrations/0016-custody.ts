import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

const DRAFT_MS = 30 * 24 * 60 * 60 * 1000

/** Legal holds, erasure records, deletion of failed submissions, and an end for drafts with a submission. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('holds')
    .addColumn('submission_id', 'text', (c) => c.primaryKey().references('submissions.submission_id'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('placed_at', 'text', (c) => c.notNull())
    .addColumn('placed_by', 'text', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('expired_kits').addColumn('erasure', 'text').execute()
  await sql`create index jobs_expired on jobs (updated_at) where status = 'EXPIRED'`.execute(db)
  await sql`create index expired_kits_by_time on expired_kits (expired_at)`.execute(db)
  const end = new Date(Date.now() + DRAFT_MS).toISOString()
  await sql`update jobs set expires_at = ${end} where status = 'DRAFT' and expires_at is null`.execute(db)
  await dialect.dropGuard(db, { name: 'jobs_move', on: 'jobs' })
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const JOB_MOVES = [
  ['DRAFT', 'SUBMITTED'],
  ['DRAFT', 'EXPIRED'],
  ['SUBMITTED', 'PASS'],
  ['SUBMITTED', 'FAIL'],
  ['PASS', 'ISSUED'],
  ['ISSUED', 'EXPIRED'],
  ['FAIL', 'EXPIRED'],
] as const

const listed = JOB_MOVES.map(([from, to]) => `(old.status = '${from}' and new.status = '${to}')`).join(' or ')

const RULES = [
  {
    name: 'jobs_move',
    on: 'jobs',
    event: 'update',
    when: `new.status <> old.status and not (${listed})`,
    message: 'a job does not move that way',
  },
  {
    name: 'jobs_held',
    on: 'jobs',
    event: 'update',
    when: `new.status = 'EXPIRED' and old.status <> 'EXPIRED' and exists
      (select 1 from holds join submissions on submissions.submission_id = holds.submission_id
        where submissions.job_id = new.job_id)`,
    message: 'evidence under a legal hold is kept',
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
