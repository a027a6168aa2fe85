import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Shares of kits with outsiders, and who has used them. Their tokens are in `links`. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('share_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('kit_id', 'text', (c) => c.notNull().references('kits.kit_id'))
    .addColumn('paths', 'text')
    .addColumn('note', 'text')
    .addColumn('password', 'text')
    .addColumn('max_downloads', 'integer')
    .addColumn('downloads', 'integer', (c) => c.notNull())
    .addColumn('accesses', 'integer', (c) => c.notNull())
    .addColumn('last_access_at', 'text')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await sql`create unique index shares_of_workspace on shares (workspace_id, sequence)`.execute(db)
  await sql`create index shares_of_kit on shares (kit_id)`.execute(db)
  await db.schema
    .createTable('share_accesses')
    .addColumn('share_id', 'text', (c) => c.notNull().references('shares.share_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('address', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('share_accesses_key', ['share_id', 'sequence'])
    .execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const FIXED = [
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

const RULES = [
  {
    name: 'shares_fixed',
    on: 'shares',
    event: 'update',
    when: `${FIXED.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')}
      or (old.revoked_at is not null
        and (new.revoked_at is distinct from old.revoked_at or new.downloads <> old.downloads))
      or new.downloads < old.downloads or new.accesses < old.accesses
      or new.downloads > coalesce(new.max_downloads, new.downloads)`,
    message: 'a share does not change, a revoked one stays revoked, and its download limit holds',
  },
  {
    name: 'share_accesses_fixed',
    on: 'share_accesses',
    event: 'update',
    when: 'true',
    message: 'accesses of a share are not changed',
  },
] as const
