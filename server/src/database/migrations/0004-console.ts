import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Members with their invitations, passkeys and sessions. Only hashes of link and cookie secrets are stored. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createMembers(db)
  await createInvitations(db)
  await createPasskeys(db)
  await createSessions(db)
  await createCeremonies(db)
  await db.schema.alterTable('audit_events').addColumn('member_id', 'text').execute()
  // For the history of one subject. Jobs are excluded: they are most of the events, and their history is never shown.
  await sql`create index audit_events_of_subject on audit_events (subject, sequence)
    where action <> 'job.created'`.execute(db)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('member_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('removed_at', 'text')
    .execute()
  await sql`create unique index members_of_workspace on members (workspace_id, email)
    where removed_at is null`.execute(db)
  await sql`create index members_by_email on members (email) where removed_at is null`.execute(db)
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('invitation_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('invited_by', 'text', (c) => c.notNull())
    .addColumn('inviting_member', 'text', (c) => c.references('members.member_id'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('accepted_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  // One open invitation per address: a new one revokes the older.
  await sql`create unique index invitations_open on invitations (workspace_id, email)
    where accepted_at is null and revoked_at is null`.execute(db)
  await sql`create index invitations_by_email on invitations (email)
    where accepted_at is null and revoked_at is null`.execute(db)
}

async function createPasskeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('passkey_id', 'text', (c) => c.primaryKey())
    .addColumn('member_id', 'text', (c) => c.notNull().references('members.member_id'))
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('backed_up', 'integer', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await sql`create index passkeys_of_member on passkeys (member_id)`.execute(db)
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('session_id', 'text', (c) => c.primaryKey())
    .addColumn('member_id', 'text', (c) => c.notNull().references('members.member_id'))
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('previous_sha256', 'text', (c) => c.unique())
    .addColumn('confirmed', 'integer', (c) => c.notNull())
    .addColumn('rotated_at', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await sql`create index sessions_of_member on sessions (member_id)`.execute(db)
  await sql`create index sessions_by_end on sessions (ends_at)`.execute(db)
}

async function createCeremonies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ceremonies')
    .addColumn('ceremony_id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('expected', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await sql`create index ceremonies_by_end on ceremonies (expires_at)`.execute(db)
}

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const RULES = [
  {
    name: 'members_begin',
    on: 'members',
    event: 'insert',
    when: `new.role not in ('owner', 'member', 'viewer') or new.removed_at is not null`,
    message: 'a member has one of the roles',
  },
  {
    name: 'members_fixed',
    on: 'members',
    event: 'update',
    when: `${changed('member_id', 'workspace_id', 'email', 'created_at')}
      or old.removed_at is not null or new.role not in ('owner', 'member', 'viewer')`,
    message: 'a member stays who it is, and a removed one stays removed',
  },
  {
    name: 'members_last_owner',
    on: 'members',
    event: 'update',
    when: `old.role = 'owner' and (new.role <> 'owner' or new.removed_at is not null) and not exists
      (select 1 from members others where others.workspace_id = old.workspace_id
        and others.member_id <> old.member_id and others.role = 'owner' and others.removed_at is null)`,
    message: 'a workspace with members keeps an owner',
  },
  { name: 'members_stay', on: 'members', event: 'delete', when: 'true', message: 'members are not deleted' },
  {
    name: 'invitations_fixed',
    on: 'invitations',
    event: 'update',
    when: `old.accepted_at is not null or old.revoked_at is not null
      or ${changed('invitation_id', 'workspace_id', 'email', 'role', 'sha256', 'created_at', 'expires_at')}`,
    message: 'an invitation is used once, or revoked',
  },
  {
    name: 'sessions_fixed',
    on: 'sessions',
    event: 'update',
    when: `old.ended_at is not null
      or ${changed('session_id', 'member_id', 'method', 'created_at', 'ends_at')}`,
    message: 'a session that has ended stays ended',
  },
] as const
