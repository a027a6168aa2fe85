import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, createIndexes, required } from './parts.ts'

/** How much a workspace stores, kept by the database itself, and objects that wait for their removal. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('plans').addColumn('storage_limit_bytes', 'bigint').execute()
  await db.schema
    .alterTable('workspaces')
    .addColumn('stored_bytes', 'bigint', (c) => required(c).defaultTo(0))
    .execute()
  await sql`update workspaces set stored_bytes = (
    select coalesce(sum(s.uploaded_bytes + s.reserved_bytes), 0) from submissions s
    join jobs j on j.job_id = s.job_id
    where s.workspace_id = workspaces.workspace_id and j.status <> 'EXPIRED')`.execute(db)
  await db.schema
    .createTable('unused_objects')
    .addColumn('submission_id', 'text', required)
    .addColumn('sha256', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('unused_since', 'text', required)
    .addPrimaryKeyConstraint('unused_objects_primary_key', ['submission_id', 'sha256'])
    .execute()
  await createIndexes(db, [
    'index unused_objects_by_time on unused_objects (unused_since, submission_id, sha256)',
  ])
  for (const each of COUNTS) await createCount(db, dialect, each)
}

/** A change of a row that changes `workspaces.stored_bytes`. */
interface Count {
  readonly name: string
  readonly on: string
  readonly when: string
  readonly update: string
}

const COUNTS: readonly Count[] = [
  {
    name: 'submissions_stored_bytes',
    on: 'submissions',
    when: changed('uploaded_bytes', 'reserved_bytes'),
    update: `update workspaces set stored_bytes = stored_bytes
        + new.uploaded_bytes + new.reserved_bytes - old.uploaded_bytes - old.reserved_bytes
      where workspace_id = new.workspace_id
        and exists (select 1 from jobs where jobs.job_id = new.job_id and jobs.status <> 'EXPIRED');`,
  },
  {
    name: 'jobs_stored_bytes',
    on: 'jobs',
    when: `new.status = 'EXPIRED' and old.status <> 'EXPIRED' and new.workspace_id is not null`,
    update: `update workspaces set stored_bytes = stored_bytes - (select uploaded_bytes + reserved_bytes
        from submissions where submissions.job_id = new.job_id)
      where workspace_id = new.workspace_id
        and exists (select 1 from submissions where submissions.job_id = new.job_id);`,
  },
]

async function createCount(db: Kysely<unknown>, dialect: Dialect, count: Count): Promise<void> {
  const { name, on, when, update } = count
  if (dialect.name === 'sqlite') {
    await sql.raw(`create trigger ${name} after update on ${on} when ${when} begin ${update} end`).execute(db)
    return
  }
  const body = `begin ${update} return null; end`
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $count$ ${body} $count$`)
    .execute(db)
  const trigger = `create trigger ${name} after update on ${on} for each row when (${when}) execute function ${name}()`
  await sql.raw(trigger).execute(db)
}
