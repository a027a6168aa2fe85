import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Workspaces with their plans, keys, credits and events, and submissions with their evidence. Ledger and audit log are
 * append-only, which triggers enforce.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createPlans(db)
  await createWorkspaces(db)
  await createApiKeys(db)
  await createSubmissions(db)
  await createCreditLedger(db)
  await createAuditEvents(db)
  // Null for anonymous jobs.
  await db.schema.alterTable('jobs').addColumn('workspace_id', 'text').execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

async function createPlans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plans')
    .addColumn('plan', 'text', (c) => c.primaryKey())
    .addColumn('api_access', 'integer', (c) => c.notNull())
    .addColumn('upload_limit_bytes', 'bigint', (c) => c.notNull())
    .addColumn('unpacked_limit_bytes', 'bigint', (c) => c.notNull())
    .addColumn('unpacked_files', 'integer', (c) => c.notNull())
    .addColumn('unpacked_ratio', 'integer', (c) => c.notNull())
    .addColumn('retention_days', 'integer')
    .addColumn('rate_per_minute', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
}

async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspaces')
    .addColumn('workspace_id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('plan', 'text', (c) => c.notNull().references('plans.plan'))
    .addColumn('public_kits', 'integer', (c) => c.notNull())
    .addColumn('credits_available', 'bigint', (c) => c.notNull())
    .addColumn('credits_held', 'bigint', (c) => c.notNull())
    .addColumn('ledger_entries', 'bigint', (c) => c.notNull())
    .addColumn('audit_events', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('last_used_at', 'text')
    .execute()
  await sql`create index api_keys_of_workspace on api_keys (workspace_id, created_at)`.execute(db)
}

async function createSubmissions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('submissions')
    .addColumn('submission_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('job_id', 'text', (c) => c.notNull().unique().references('jobs.job_id'))
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('profile', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('uploads', 'integer', (c) => c.notNull())
    .addColumn('uploaded_bytes', 'bigint', (c) => c.notNull())
    .execute()
  await sql`create unique index submissions_of_workspace on submissions (workspace_id, sequence)`.execute(db)
  await db.schema
    .createTable('evidence')
    .addColumn('submission_id', 'text', (c) => c.notNull().references('submissions.submission_id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('crc32', 'bigint', (c) => c.notNull())
    .addColumn('media_type', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('evidence_primary_key', ['submission_id', 'position'])
    .execute()
  await sql`create index evidence_by_object on evidence (sha256)`.execute(db)
}

async function createCreditLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('credit_ledger')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('available_change', 'bigint', (c) => c.notNull())
    .addColumn('held_change', 'bigint', (c) => c.notNull())
    .addColumn('available_after', 'bigint', (c) => c.notNull())
    .addColumn('submission_id', 'text', (c) => c.references('submissions.submission_id'))
    .addColumn('note', 'text')
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('credit_ledger_primary_key', ['workspace_id', 'sequence'])
    .execute()
  // A submission holds a credit once, and captures or releases it once.
  await sql`create unique index credit_ledger_once on credit_ledger
    (submission_id, (kind = 'hold')) where submission_id is not null`.execute(db)
}

async function createAuditEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_events')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text')
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_events_primary_key', ['workspace_id', 'sequence'])
    .execute()
}

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const stay = (on: string, message: string) =>
  ({ name: `${on}_stay`, on, event: 'delete', when: 'true', message }) as const

const RULES = [
  {
    name: 'jobs_workspace',
    on: 'jobs',
    event: 'update',
    when: 'old.workspace_id is not null and new.workspace_id is distinct from old.workspace_id',
    message: 'a job stays with its workspace',
  },
  stay('workspaces', 'workspaces are not deleted'),
  {
    name: 'workspaces_credits',
    on: 'workspaces',
    event: 'update',
    when: `new.credits_available < 0 or new.credits_held < 0 or ${changed('workspace_id', 'created_at')}`,
    message: 'credits are not overspent',
  },
  stay('api_keys', 'keys are not deleted'),
  {
    name: 'api_keys_fixed',
    on: 'api_keys',
    event: 'update',
    when: `${changed('key_id', 'workspace_id', 'sha256', 'created_at')}
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)`,
    message: 'a key does not change, and a revoked one stays revoked',
  },
  stay('submissions', 'submissions are not deleted'),
  {
    name: 'submissions_fixed',
    on: 'submissions',
    event: 'update',
    when: changed('submission_id', 'workspace_id', 'sequence', 'job_id', 'label', 'profile', 'created_at'),
    message: 'what a submission was created with stays',
  },
  stay('evidence', 'evidence is not deleted'),
  {
    name: 'evidence_open',
    on: 'evidence',
    event: 'insert',
    when: `not exists (select 1 from submissions join jobs on jobs.job_id = submissions.job_id
      where submissions.submission_id = new.submission_id and jobs.status = 'DRAFT')`,
    message: 'a sealed submission takes no more evidence',
  },
  {
    name: 'evidence_fixed',
    on: 'evidence',
    event: 'update',
    when: 'true',
    message: 'evidence does not change',
  },
  stay('credit_ledger', 'the ledger is only added to'),
  {
    name: 'credit_ledger_fixed',
    on: 'credit_ledger',
    event: 'update',
    when: 'true',
    message: 'the ledger is only added to',
  },
  {
    name: 'credit_ledger_settles',
    on: 'credit_ledger',
    event: 'insert',
    when: `new.kind not in ('grant', 'hold', 'capture', 'release')
      or (new.kind in ('capture', 'release') and not exists (select 1 from credit_ledger
        where credit_ledger.submission_id = new.submission_id and credit_ledger.kind = 'hold'))`,
    message: 'only a held credit is captured or released',
  },
  stay('audit_events', 'events are only added'),
  {
    name: 'audit_events_fixed',
    on: 'audit_events',
    event: 'update',
    when: 'true',
    message: 'events are only added',
  },
] as const
