import { type Kysely, sql } from 'kysely'
import { createIndexes } from './parts.ts'

/** Requests that wait for someone, and mail that was not sent, are found by index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('requests')
    .addColumn('settled', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update requests set settled = 1 where not exists (select 1 from request_items i
    where i.request_id = requests.request_id and coalesce(i.review, '') not in ('accepted', 'not_applicable'))`.execute(
    db,
  )
  await createIndexes(db, [
    'index requests_waiting on requests (workspace_id, updated_at) where closed_at is null and settled = 0',
    "index deliveries_failed on deliveries (workspace_id, ended_at) where state = 'failed'",
  ])
}
