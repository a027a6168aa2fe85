// docs/decisions/0101
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Jobs, kits, signing keys and idempotency records, with triggers that reject invalid changes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createJobs(db)
  await createSigningKeys(db)
  await createKits(db)
  await createIdempotency(db)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('job_id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull())
    .addColumn('scope_label', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('kit_id', 'text', (c) => c.unique())
    .addColumn('authenticated', 'integer', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('blockers', 'text')
    .execute()
  // Few jobs are waiting or drafts: with partial indexes a claim costs the same at a million rows as at ten.
  await sql`create index jobs_waiting on jobs (created_at, job_id) where status = 'SUBMITTED'`.execute(db)
  await sql`create index jobs_drafts on jobs (expires_at) where status = 'DRAFT'`.execute(db)
}

async function createSigningKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (c) => c.primaryKey())
    .addColumn('x', 'text', (c) => c.notNull().unique())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('retired_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await sql`create unique index signing_keys_one_active on signing_keys (state) where state = 'active'`.execute(
    db,
  )
}

async function createKits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kits')
    .addColumn('kit_id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull().unique().references('jobs.job_id'))
    .addColumn('issued_at', 'text', (c) => c.notNull())
    .addColumn('receipt_version', 'text', (c) => c.notNull())
    .addColumn('manifest_sha256', 'text', (c) => c.notNull())
    .addColumn('public_key_kid', 'text', (c) => c.notNull().references('signing_keys.kid'))
    .addColumn('downloads', 'text', (c) => c.notNull())
    .addColumn('receipt', 'text', (c) => c.notNull())
    .addColumn('entries', 'text', (c) => c.notNull())
    .execute()
  // A key is never retired before the time of its last receipt; see retireKey.
  await sql`create index kits_by_key on kits (public_key_kid, issued_at)`.execute(db)
}

async function createIdempotency(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_primary_key', ['scope', 'key'])
    .execute()
  await sql`create index idempotency_age on idempotency (created_at)`.execute(db)
}

const JOB_MOVES = [
  ['DRAFT', 'SUBMITTED'],
  ['DRAFT', 'EXPIRED'],
  ['SUBMITTED', 'PASS'],
  ['SUBMITTED', 'FAIL'],
  ['PASS', 'ISSUED'],
  ['ISSUED', 'EXPIRED'],
] as const

const KEY_MOVES = [
  ['active', 'retired'],
  ['active', 'revoked'],
  ['retired', 'revoked'],
] as const

const listed = (column: string, moves: readonly (readonly [string, string])[]): string =>
  moves.map(([from, to]) => `(old.${column} = '${from}' and new.${column} = '${to}')`).join(' or ')

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const RULES = [
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
    when: `new.status <> old.status and not (${listed('status', JOB_MOVES)})`,
    message: 'a job does not move that way',
  },
  {
    name: 'jobs_kit',
    on: 'jobs',
    event: 'update',
    when: `(new.kit_id is distinct from old.kit_id and not (old.status = 'PASS' and new.status = 'ISSUED'))
      or (old.status = 'PASS' and new.status = 'ISSUED' and not exists
        (select 1 from kits where kits.kit_id = new.kit_id and kits.job_id = new.job_id))`,
    message: 'a job has the kit that was issued for it, and never another',
  },
  {
    name: 'jobs_identity',
    on: 'jobs',
    event: 'update',
    when: changed('job_id', 'tenant_id', 'scope_label', 'created_at', 'authenticated'),
    message: 'what a job was created with stays',
  },
  { name: 'jobs_stay', on: 'jobs', event: 'delete', when: 'true', message: 'jobs are not deleted' },
  {
    name: 'kits_key',
    on: 'kits',
    event: 'insert',
    // Whole seconds, as in the published key set.
    when: `not exists (select 1 from signing_keys where signing_keys.kid = new.public_key_kid
      and signing_keys.state <> 'revoked'
      and substr(signing_keys.created_at, 1, 19) <= substr(new.issued_at, 1, 19)
      and (signing_keys.retired_at is null
        or substr(new.issued_at, 1, 19) <= substr(signing_keys.retired_at, 1, 19)))`,
    message: 'a kit is signed by a key that is alive at its time',
  },
  { name: 'kits_stay', on: 'kits', event: 'delete', when: 'true', message: 'kits are not deleted' },
  { name: 'kits_fixed', on: 'kits', event: 'update', when: 'true', message: 'a kit does not change' },
  {
    name: 'signing_keys_begin',
    on: 'signing_keys',
    event: 'insert',
    when: `new.state <> 'active' or new.provider not in ('file', 'pkcs11')`,
    message: 'a signing key begins as active',
  },
  {
    name: 'signing_keys_move',
    on: 'signing_keys',
    event: 'update',
    when: `(new.state <> old.state and not (${listed('state', KEY_MOVES)}))
      or ${changed('kid', 'x', 'provider', 'created_at')}
      or (old.retired_at is not null and new.retired_at is distinct from old.retired_at)
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)`,
    message: 'a signing key does not move that way',
  },
  {
    name: 'signing_keys_stay',
    on: 'signing_keys',
    event: 'delete',
    when: 'true',
    message: 'signing keys are not deleted',
  },
] as const
