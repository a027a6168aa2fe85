import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, fixed, primaryKey, refersTo, required } from '../parts.ts'

/** Links that let someone in without an account, shares of kits, and who has used them. Only hashes of tokens are stored. */
export async function createSharing(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('links')
    .addColumn('link_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('purpose', 'text', required)
    .addColumn('subject_id', 'text', required)
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('revoked_at', 'text')
    .addColumn('recipient', sql`text`)
    .execute()
  await db.schema
    .createTable('shares')
    .addColumn('share_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('kit_id', 'text', refersTo('kits.kit_id'))
    .addColumn('paths', 'text')
    .addColumn('note', 'text')
    .addColumn('password', 'text')
    .addColumn('max_downloads', 'integer')
    .addColumn('downloads', 'integer', required)
    .addColumn('accesses', 'integer', required)
    .addColumn('last_access_at', 'text')
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('revoked_at', 'text')
    .execute()
  await db.schema
    .createTable('share_accesses')
    .addColumn('share_id', 'text', refersTo('shares.share_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('at', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('name', 'text')
    .addColumn('address', 'text', required)
    .addColumn('link_id', sql`text`)
    .addPrimaryKeyConstraint('share_accesses_key', ['share_id', 'sequence'])
    .execute()
  await createIndexes(db, [
    'index links_of_subject on links (subject_id)',
    'unique index shares_of_workspace on shares (workspace_id, sequence)',
    'index shares_of_kit on shares (kit_id)',
    'index shares_by_end on shares (workspace_id, expires_at) where revoked_at is null',
  ])
  await createGuards(db, dialect, GUARDS)
}

const OF_SHARE = [
  'share_id',
  'workspace_id',
  'sequence',
  'kit_id',
  'paths',
  'note',
  'password',
  'max_downloads',
  'created_by',
  'created_at',
  'expires_at',
] as const

const GUARDS = [
  {
    name: 'links_begin',
    on: 'links',
    event: 'insert',
    when: `new.purpose not in ('invitation', 'share', 'request', 'unsubscribe') or new.revoked_at is not null`,
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
  {
    name: 'links_recipient_fixed',
    on: 'links',
    event: 'update',
    when: changed('recipient'),
    message: 'a link does not change',
  },
  {
    name: 'shares_fixed',
    on: 'shares',
    event: 'update',
    when: `${changed(...OF_SHARE)}
      or (old.revoked_at is not null
        and (new.revoked_at is distinct from old.revoked_at or new.downloads <> old.downloads))
      or new.downloads < old.downloads or new.accesses < old.accesses
      or new.downloads > coalesce(new.max_downloads, new.downloads)`,
    message: 'a share does not change, a revoked one stays revoked, and its download limit holds',
  },
  fixed('share_accesses', 'accesses of a share are not changed'),
] as const
