import type { Kysely } from 'kysely'
import { createIndexes, required } from './parts.ts'

/** What is limited by the day is counted for all nodes. Kits of open intake are found when they end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('daily_counts')
    .addColumn('day', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('count', 'integer', required)
    .addPrimaryKeyConstraint('daily_counts_primary_key', ['day', 'name'])
    .execute()
  await db.schema
    .alterTable('plans')
    .addColumn('mails_per_day', 'integer', (c) => required(c).defaultTo(500))
    .execute()
  await createIndexes(db, [
    "index jobs_issued_openly on jobs (updated_at, job_id) where status = 'ISSUED' and workspace_id is null",
  ])
}
