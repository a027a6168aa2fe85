import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, createGuards, createIndexes, fixed, primaryKey, refersTo, required } from './parts.ts'

/** A share can have several kits, or those of a series: a room. Its reviewers comment, and mark what they have reviewed. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('share_kits')
    .addColumn('share_id', 'text', refersTo('shares.share_id'))
    .addColumn('position', 'integer', required)
    .addColumn('kit_id', 'text', refersTo('kits.kit_id'))
    .addPrimaryKeyConstraint('share_kits_key', ['share_id', 'position'])
    .execute()
  await sql`insert into share_kits (share_id, position, kit_id) select share_id, 0, kit_id from shares`.execute(
    db,
  )
  await dialect.dropGuard(db, SHARES_FIXED)
  await sql`drop index shares_of_kit`.execute(db)
  await db.schema.alterTable('shares').dropColumn('kit_id').execute()
  await db.schema.alterTable('shares').addColumn('title', 'text').execute()
  await db.schema.alterTable('shares').addColumn('series', 'text').execute()
  await db.schema
    .alterTable('shares')
    .addColumn('remarks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('share_accesses').addColumn('kit_id', 'text').execute()
  await db.schema
    .createTable('share_comments')
    .addColumn('comment_id', 'text', primaryKey)
    .addColumn('share_id', 'text', refersTo('shares.share_id'))
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('kit_id', 'text', refersTo('kits.kit_id'))
    .addColumn('path', 'text')
    .addColumn('item_id', 'text')
    .addColumn('reply_to', 'text')
    .addColumn('side', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('author', 'text', required)
    .addColumn('basis', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('sha256', 'text', required)
    .addColumn('state', 'text')
    .addColumn('at', 'text', required)
    .addColumn('erased_at', 'text')
    .execute()
  await db.schema
    .createTable('share_reviews')
    .addColumn('share_id', 'text', refersTo('shares.share_id'))
    .addColumn('kit_id', 'text', refersTo('kits.kit_id'))
    .addColumn('path', 'text', required)
    .addColumn('item_id', 'text', required)
    .addColumn('reviewer', 'text', required)
    .addColumn('basis', 'text', required)
    .addColumn('sequence', 'bigint', required)
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('share_reviews_key', ['share_id', 'kit_id', 'path', 'item_id', 'reviewer'])
    .execute()
  await createIndexes(db, [
    'index share_kits_by_kit on share_kits (kit_id)',
    'index shares_by_series on shares (workspace_id, series) where series is not null',
    'unique index share_comments_in_order on share_comments (share_id, sequence)',
    'unique index share_reviews_in_order on share_reviews (share_id, sequence)',
    "index share_comments_open on share_comments (workspace_id, at) where state = 'open'",
  ])
  await createGuards(db, dialect, [
    SHARES_FIXED,
    fixed('share_kits', 'the kits of a share are not changed'),
    COMMENTS_FIXED,
  ])
}

const OF_SHARE = [
  'share_id',
  'workspace_id',
  'sequence',
  'title',
  'series',
  'paths',
  'note',
  'created_by',
  'created_at',
] as const

const SHARES_FIXED = {
  name: 'shares_fixed',
  on: 'shares',
  event: 'update',
  when: `${changed(...OF_SHARE)}
    or (old.revoked_at is not null
      and (new.revoked_at is distinct from old.revoked_at or new.downloads <> old.downloads))
    or new.downloads < old.downloads or new.accesses < old.accesses or new.remarks < old.remarks
    or (new.downloads > old.downloads and new.downloads > coalesce(new.max_downloads, new.downloads))`,
  message: 'a share stays the same, a revoked one stays revoked, and its download limit holds',
} as const

const OF_COMMENT = [
  'comment_id',
  'share_id',
  'workspace_id',
  'sequence',
  'kit_id',
  'path',
  'item_id',
  'reply_to',
  'side',
  'written_by',
  'basis',
  'sha256',
  'at',
] as const

const COMMENTS_FIXED = {
  name: 'share_comments_fixed',
  on: 'share_comments',
  event: 'update',
  when: `${changed(...OF_COMMENT)} or old.erased_at is not null
    or (new.erased_at is null and (${changed('text', 'author')}))
    or (new.erased_at is not null and (new.text <> '' or new.author <> ''))`,
  message: 'a comment does not change, and is erased once',
} as const
