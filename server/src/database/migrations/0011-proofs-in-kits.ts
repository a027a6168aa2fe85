import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A kit gets its log proof when it is issued. Until then its job is PASS. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('kits').addColumn('log_proof', 'text').execute()
  await sql`create index jobs_passed on jobs (job_id) where status = 'PASS'`.execute(db)
  for (const rule of RULES) {
    await dialect.dropGuard(db, rule)
    await dialect.createGuard(db, rule)
  }
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

const RULES = [
  {
    name: 'kits_fixed',
    on: 'kits',
    event: 'update',
    when: `${FIXED.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')}
      or (old.zip_sha256 is not null and new.zip_sha256 is distinct from old.zip_sha256)
      or (new.log_proof is distinct from old.log_proof and (old.log_proof is not null or exists
        (select 1 from jobs where jobs.kit_id = old.kit_id)))`,
    message: 'a kit does not change',
  },
  {
    name: 'jobs_kit',
    on: 'jobs',
    event: 'update',
    when: `(new.kit_id is distinct from old.kit_id and not (old.status = 'PASS' and new.status = 'ISSUED'))
      or (old.status = 'PASS' and new.status = 'ISSUED' and not exists
        (select 1 from kits where kits.kit_id = new.kit_id and kits.job_id = new.job_id
          and kits.log_proof is not null))`,
    message: 'a job has the kit that was issued for it, with its log proof, and never another',
  },
] as const
