import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, replaceGuard } from './parts.ts'

/** Expiry, password and download limit of a share can be changed. An access that was counted has its visit. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('share_accesses').addColumn('visit', 'text').execute()
  await replaceGuard(db, dialect, SHARES_FIXED)
}

const OF_SHARE = [
  'share_id',
  'workspace_id',
  'sequence',
  'kit_id',
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
    or new.downloads < old.downloads or new.accesses < old.accesses
    or (new.downloads > old.downloads and new.downloads > coalesce(new.max_downloads, new.downloads))`,
  message: 'a share stays the same, a revoked one stays revoked, and its download limit holds',
} as const
