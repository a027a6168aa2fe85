import type { Kysely } from 'kysely'
import { preparedFirst } from '../database/prepared.ts'
import type { Database, JobsTable, PublicKits } from '../database/schema.ts'
import type { JobId, WorkspaceId } from '../runtime/identifiers.ts'
import type { JobView } from './job.ts'

/** A job and the visibility of its workspace. */
export interface FoundJob extends JobView {
  readonly workspace_id: WorkspaceId | null
  /** Null without a workspace. */
  readonly visibility: PublicKits | null
}

export interface JobQueries {
  find(id: JobId): Promise<FoundJob | undefined>
  /** `db` may be a transaction. */
  insert(db: Kysely<Database>, job: JobsTable): Promise<void>
}

const VIEW = [
  'jobs.job_id',
  'jobs.tenant_id',
  'jobs.scope_label',
  'jobs.status',
  'jobs.created_at',
  'jobs.updated_at',
  'jobs.kit_id',
  'jobs.workspace_id',
  'workspaces.visibility',
] as const

export function jobQueries(db: Kysely<Database>): JobQueries {
  const find = preparedFirst<FoundJob>(
    db,
    db
      .selectFrom('jobs')
      .leftJoin('workspaces', 'workspaces.workspace_id', 'jobs.workspace_id')
      .select(VIEW)
      .where('job_id', '=', '' as JobId),
  )
  return {
    find: (id) => find(id),
    insert: async (into, job) => {
      await into.insertInto('jobs').values(job).execute()
    },
  }
}
