import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, primaryKey, refersTo, required, stay } from '../parts.ts'

/** Members with their invitations, passkeys and sessions. Only hashes of cookie secrets are stored. */
export async function createMembers(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('member_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('email', 'text', required)
    .addColumn('role', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('removed_at', 'text')
    .execute()
  await db.schema
    .createTable('invitations')
    .addColumn('invitation_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('email', 'text', required)
    .addColumn('role', 'text', required)
    .addColumn('invited_by', 'text', required)
    .addColumn('inviting_member', 'text', (c) => c.references('members.member_id'))
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('accepted_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await createSignIn(db)
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
}

async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('passkey_id', 'text', primaryKey)
    .addColumn('member_id', 'text', refersTo('members.member_id'))
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', 'text', required)
    .addColumn('backed_up', 'integer', required)
    .addColumn('label', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('session_id', 'text', primaryKey)
    .addColumn('member_id', 'text', refersTo('members.member_id'))
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('previous_sha256', 'text', (c) => c.unique())
    .addColumn('confirmed', 'integer', required)
    .addColumn('rotated_at', 'text', required)
    .addColumn('method', 'text', required)
    .addColumn('browser', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_seen_at', 'text', required)
    .addColumn('ends_at', 'text', required)
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createTable('ceremonies')
    .addColumn('ceremony_id', 'text', primaryKey)
    .addColumn('kind', 'text', required)
    .addColumn('expected', 'text', required)
    .addColumn('expires_at', 'text', required)
    .execute()
}

const INDEXES = [
  'unique index members_of_workspace on members (workspace_id, email) where removed_at is null',
  'index members_by_email on members (email) where removed_at is null',
  'index members_by_email_of_workspace on members (workspace_id, email)',
  // One open invitation per address: a new one revokes the older.
  `unique index invitations_open on invitations (workspace_id, email)
    where accepted_at is null and revoked_at is null`,
  'index invitations_by_email on invitations (email) where accepted_at is null and revoked_at is null',
  'index passkeys_of_member on passkeys (member_id)',
  'index sessions_of_member on sessions (member_id)',
  'index sessions_by_end on sessions (ends_at)',
  'index ceremonies_by_end on ceremonies (expires_at)',
]

const GUARDS = [
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
  stay('members', 'members are not deleted'),
  {
    name: 'invitations_fixed',
    on: 'invitations',
    event: 'update',
    when: `old.accepted_at is not null or old.revoked_at is not null
      or ${changed('invitation_id', 'workspace_id', 'email', 'role', 'created_at', 'expires_at')}`,
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
