import type { Kysely } from 'kysely'
import { type Eventually, type Prepared, prepared } from '../database/prepared.ts'
import type { Database, JobsTable } from '../database/schema.ts'
import type { JobId } from '../identifiers.ts'
import type { JobView } from './job.ts'

export interface JobQueries {
  find(id: JobId): Eventually<JobView | undefined>
  /** `db` may be a transaction. */
  insert(db: Kysely<Database>, job: JobsTable): Promise<void>
}

const VIEW = ['job_id', 'tenant_id', 'scope_label', 'status', 'created_at', 'updated_at', 'kit_id'] as const

export function jobQueries(db: Kysely<Database>): JobQueries {
  const find: Prepared<JobView> = prepared(
    db,
    db
      .selectFrom('jobs')
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
