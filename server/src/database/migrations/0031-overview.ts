import { type Kysely, sql } from 'kysely'

/** Indexes for the overview page: what needs attention, and what was issued in each month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of INDEXES) await sql`create index ${sql.raw(index)}`.execute(db)
}

const INDEXES = [
  "jobs_failed on jobs (workspace_id, updated_at) where status = 'FAIL'",
  'requests_by_due_date on requests (workspace_id, due_at) where closed_at is null',
  'shares_by_end on shares (workspace_id, expires_at) where revoked_at is null',
  "credit_ledger_captures on credit_ledger (workspace_id, at) where kind = 'capture'",
]
