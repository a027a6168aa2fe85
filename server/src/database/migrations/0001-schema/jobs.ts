import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, moves, primaryKey, required, stay } from '../parts.ts'

/** Jobs, and the responses of requests with an idempotency key. */
export async function createJobs(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('job_id', 'text', primaryKey)
    .addColumn('tenant_id', 'text', required)
    .addColumn('scope_label', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('expires_at', 'text')
    .addColumn('kit_id', 'text')
    .addColumn('authenticated', 'integer', required)
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('blockers', 'text')
    .addColumn('workspace_id', 'text')
    .addColumn('findings', 'text')
    .execute()
  await db.schema
    .createTable('idempotency')
    .addColumn('scope', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('request_hash', 'text', required)
    .addColumn('status', 'integer', required)
    .addColumn('body', 'text', required)
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('idempotency_primary_key', ['scope', 'key'])
    .execute()
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
}

// Few jobs are waiting or drafts: with partial indexes a claim costs the same at a million rows as at ten.
const INDEXES = [
  // Workspaces take turns. Jobs without a workspace count as one.
  `index jobs_waiting on jobs (coalesce(workspace_id, ''), created_at, job_id) where status = 'SUBMITTED'`,
  "index jobs_drafts on jobs (expires_at) where status = 'DRAFT'",
  "index jobs_passed on jobs (job_id) where status = 'PASS'",
  // Oldest first, for the end of retention.
  "index jobs_issued on jobs (workspace_id, updated_at) where status = 'ISSUED' and workspace_id is not null",
  "index jobs_failed on jobs (workspace_id, updated_at) where status = 'FAIL'",
  "index jobs_expired on jobs (updated_at) where status = 'EXPIRED'",
  "index jobs_by_status on jobs (workspace_id, status, job_id) where status <> 'ISSUED'",
  'unique index jobs_by_kit on jobs (kit_id) where kit_id is not null',
  'index idempotency_age on idempotency (created_at)',
]

const MOVES = [
  ['DRAFT', 'SUBMITTED'],
  ['DRAFT', 'EXPIRED'],
  ['SUBMITTED', 'PASS'],
  ['SUBMITTED', 'FAIL'],
  ['SUBMITTED', 'ISSUED'],
  ['PASS', 'ISSUED'],
  ['ISSUED', 'EXPIRED'],
  ['FAIL', 'EXPIRED'],
] as const

const isIssued = `(old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED')`

const GUARDS = [
  {
    name: 'jobs_begin',
    on: 'jobs',
    event: 'insert',
    when: `new.status not in ('DRAFT', 'SUBMITTED') or new.kit_id is not null`,
    message: 'a job begins as DRAFT or SUBMITTED, without a kit',
  },
  {
    name: 'jobs_move',
    on: 'jobs',
    event: 'update',
    when: `new.status <> old.status and not (${moves('status', MOVES)})`,
    message: 'a job does not move that way',
  },
  {
    name: 'jobs_kit',
    on: 'jobs',
    event: 'update',
    when: `(new.kit_id is distinct from old.kit_id and not ${isIssued})
      or (${isIssued} and not exists
        (select 1 from kits where kits.kit_id = new.kit_id and kits.job_id = new.job_id
          and kits.log_proof is not null))`,
    message: 'a job has the kit that was issued for it, with its log proof, and never another',
  },
  {
    name: 'jobs_identity',
    on: 'jobs',
    event: 'update',
    when: changed('job_id', 'tenant_id', 'scope_label', 'created_at', 'authenticated'),
    message: 'what a job was created with stays',
  },
  {
    name: 'jobs_workspace',
    on: 'jobs',
    event: 'update',
    when: 'old.workspace_id is not null and new.workspace_id is distinct from old.workspace_id',
    message: 'a job stays with its workspace',
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
  stay('jobs', 'jobs are not deleted'),
] as const
