import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** SHA-256 of kit.zip. Kits that were issued without it get it later; nothing else of a kit changes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('kits').addColumn('zip_sha256', 'text').execute()
  await sql`create index kits_without_zip_sha256 on kits (kit_id) where zip_sha256 is null`.execute(db)
  await dialect.dropGuard(db, { name: 'kits_fixed', on: 'kits' })
  await dialect.createGuard(db, {
    name: 'kits_fixed',
    on: 'kits',
    event: 'update',
    when: `${FIXED.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')}
      or (old.zip_sha256 is not null and new.zip_sha256 is distinct from old.zip_sha256)`,
    message: 'a kit does not change',
  })
}

const FIXED = [
  'kit_id',
  'job_id',
  'issued_at',
  'receipt_version',
  'manifest_sha256',
  'public_key_kid',
  'downloads',
  'receipt',
  'entries',
] as const
