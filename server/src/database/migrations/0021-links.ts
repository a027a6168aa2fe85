import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** One table for the tokens in links. The tokens of invitations move into it. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('links')
    .addColumn('link_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await sql`create index links_of_subject on links (subject_id)`.execute(db)
  await sql`insert into links
    (link_id, workspace_id, purpose, subject_id, sha256, created_at, expires_at, revoked_at)
    select 'lnk_' || substr(invitation_id, 5), workspace_id, 'invitation', invitation_id, sha256, created_at,
      expires_at, coalesce(revoked_at, accepted_at) from invitations`.execute(db)
  await dropTokens(db, dialect)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

/** SQLite cannot drop a unique column, so the table is written anew. */
async function dropTokens(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.dropGuard(db, { name: 'invitations_fixed', on: 'invitations' })
  if (dialect.name === 'postgres') {
    await sql`alter table invitations drop column sha256`.execute(db)
    return
  }
  await db.schema
    .createTable('invitations_without_tokens')
    .addColumn('invitation_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('invited_by', 'text', (c) => c.notNull())
    .addColumn('inviting_member', 'text', (c) => c.references('members.member_id'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('accepted_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await sql`insert into invitations_without_tokens
    select invitation_id, workspace_id, email, role, invited_by, inviting_member, created_at, expires_at, accepted_at,
      revoked_at from invitations`.execute(db)
  await db.schema.dropTable('invitations').execute()
  await db.schema.alterTable('invitations_without_tokens').renameTo('invitations').execute()
  await sql`create unique index invitations_open on invitations (workspace_id, email)
    where accepted_at is null and revoked_at is null`.execute(db)
  await sql`create index invitations_by_email on invitations (email)
    where accepted_at is null and revoked_at is null`.execute(db)
}

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const RULES = [
  {
    name: 'invitations_fixed',
    on: 'invitations',
    event: 'update',
    when: `old.accepted_at is not null or old.revoked_at is not null
      or ${changed('invitation_id', 'workspace_id', 'email', 'role', 'created_at', 'expires_at')}`,
    message: 'an invitation is used once, or revoked',
  },
  {
    name: 'links_begin',
    on: 'links',
    event: 'insert',
    when: `new.purpose not in ('invitation', 'share', 'request') or new.revoked_at is not null`,
    message: 'a link has one of the purposes',
  },
  {
    name: 'links_fixed',
    on: 'links',
    event: 'update',
    when: `old.revoked_at is not null
      or ${changed('link_id', 'workspace_id', 'purpose', 'subject_id', 'sha256', 'created_at', 'expires_at')}`,
    message: 'a link does not change, and a revoked one stays revoked',
  },
] as const
