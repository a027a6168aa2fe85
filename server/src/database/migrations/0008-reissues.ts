import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A submission may replace a kit whose signing key was revoked. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('submissions')
    .addColumn('replaces_kit_id', 'text', (c) => c.references('kits.kit_id'))
    .execute()
  await sql`create index submissions_by_replaced_kit on submissions (replaces_kit_id)
    where replaces_kit_id is not null`.execute(db)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const RULES = [
  {
    name: 'submissions_replaces_fixed',
    on: 'submissions',
    event: 'update',
    when: 'new.replaces_kit_id is distinct from old.replaces_kit_id',
    message: 'what a submission replaces stays',
  },
  {
    name: 'submissions_replaces_revoked',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and not exists (select 1 from kits
      join jobs on jobs.kit_id = kits.kit_id join signing_keys on signing_keys.kid = kits.public_key_kid
      where kits.kit_id = new.replaces_kit_id and jobs.workspace_id = new.workspace_id
        and jobs.status = 'ISSUED' and signing_keys.state = 'revoked')`,
    message: 'only a kit of the same workspace whose key is revoked is replaced',
  },
  {
    name: 'submissions_replaces_once',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and exists (select 1 from submissions others
      join jobs on jobs.job_id = others.job_id
      where others.replaces_kit_id = new.replaces_kit_id and jobs.status <> 'FAIL')`,
    message: 'a kit is replaced once',
  },
] as const
