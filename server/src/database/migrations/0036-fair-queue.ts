import { type Kysely, sql } from 'kysely'

/** Waiting jobs by workspace, because workspaces take turns. Jobs without a workspace count as one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index jobs_waiting`.execute(db)
  await sql`create index jobs_waiting on jobs (coalesce(workspace_id, ''), created_at, job_id)
    where status = 'SUBMITTED'`.execute(db)
}
