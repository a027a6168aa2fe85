// docs/decisions/0450
import { type Kysely, sql } from 'kysely'

/**
 * Indexes for what is rare in tables that grow, and the kits of each series in the order in which they were issued. Partial
 * indexes have no entries for what every submission adds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index requests_that_repeat`.execute(db)
  for (const index of INDEXES) await sql`create index ${sql.raw(index)}`.execute(db)
  await db.schema
    .createTable('series_kits')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('series', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'text', (c) => c.notNull())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('kit_id', 'text', (c) => c.notNull())
    .addColumn('is_reissue', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('series_kits_primary_key', ['workspace_id', 'series', 'issued_at', 'sequence'])
    .execute()
  await sql`insert into series_kits (workspace_id, series, issued_at, sequence, kit_id, is_reissue)
    select submissions.workspace_id, submissions.series, kits.issued_at, submissions.sequence, kits.kit_id,
      case when submissions.replaces_kit_id is null then 0 else 1 end
    from submissions join jobs on jobs.job_id = submissions.job_id join kits on kits.kit_id = jobs.kit_id
    where submissions.series is not null`.execute(db)
}

const INDEXES = [
  // SQLite preferred the index of next_request_id to the one before, and sorted.
  `requests_to_repeat on requests (due_at)
    where repeat is not null and closed_at is null and coalesce(next_request_id, '') = ''`,
  'resumable_uploads_open on resumable_uploads (upload_id) where finished_at is null and removed_at is null',
  'resumable_uploads_claimed on resumable_uploads (upload_id) where claim is not null',
  'log_checkpoints_time_stamped on log_checkpoints (size) where time_stamp is not null',
  'members_by_email_of_workspace on members (workspace_id, email)',
  `audit_events_by_rare_action on audit_events (workspace_id, action, sequence)
    where action <> 'job.created' and action <> 'job.issued' and action <> 'submission.created'
      and action <> 'evidence.received' and action <> 'submission.sealed' and action <> 'submission.passed'`,
  'audit_events_by_member on audit_events (workspace_id, member_id, sequence) where member_id is not null',
  `audit_events_by_rare_actor on audit_events (workspace_id, actor, sequence)
    where actor <> 'key' and actor <> 'service' and actor <> 'member'`,
]
