import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A file can be removed from a draft. Sealed evidence stays. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.dropGuard(db, RULE)
  await dialect.createGuard(db, RULE)
}

const RULE = {
  name: 'evidence_stay',
  on: 'evidence',
  event: 'delete',
  when: `not exists (select 1 from submissions join jobs on jobs.job_id = submissions.job_id
    where submissions.submission_id = old.submission_id and jobs.status = 'DRAFT')`,
  message: 'sealed evidence is not deleted',
} as const
