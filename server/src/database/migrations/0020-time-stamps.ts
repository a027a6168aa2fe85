import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A kit gets the time-stamp of its checkpoint together with its log proof. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('kits').addColumn('time_stamp', 'text').execute()
  await dialect.dropGuard(db, RULE)
  await dialect.createGuard(db, RULE)
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

const RULE = {
  name: 'kits_fixed',
  on: 'kits',
  event: 'update',
  when: `${FIXED.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')}
    or (old.zip_sha256 is not null and new.zip_sha256 is distinct from old.zip_sha256)
    or ((new.log_proof is distinct from old.log_proof or new.time_stamp is distinct from old.time_stamp)
      and (old.log_proof is not null or exists (select 1 from jobs where jobs.kit_id = old.kit_id)))`,
  message: 'a kit does not change',
} as const
