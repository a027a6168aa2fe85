import type { Kysely } from 'kysely'
import { type ConstantTimeLookup, constantTimeLookup } from '../database/constant-time-lookup.ts'
import { type MaybePromise, prepared, preparedRows } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../identifiers.ts'
import type { EvidenceView, SubmissionView } from './submission.ts'

export interface FoundSubmission {
  readonly view: SubmissionView
  readonly evidence: readonly EvidenceView[]
}

export interface SubmissionQueries extends ConstantTimeLookup<SubmissionId, SubmissionView> {
  evidenceOf(id: SubmissionId): MaybePromise<readonly EvidenceView[]>
  /** Newest first, only sequences below `before`. */
  list(workspaceId: WorkspaceId, before: number, limit: number): MaybePromise<readonly SubmissionView[]>
}

/** Reads committed data without waiting for transactions. */
export function submissionQueries(db: Kysely<Database>): SubmissionQueries {
  const lookUp = constantTimeLookup<SubmissionId, SubmissionView>(
    prepared(db, views(db).where('submissions.submission_id', '=', '' as SubmissionId)),
  )
  const evidence = preparedRows<EvidenceView>(db, evidenceRows(db, '' as SubmissionId))
  const list = preparedRows<SubmissionView>(
    db,
    views(db)
      .where('submissions.workspace_id', '=', '' as WorkspaceId)
      .where('submissions.sequence', '<', 0)
      .orderBy('submissions.sequence', 'desc')
      .limit(1),
  )
  return {
    ...lookUp,
    evidenceOf: (id) => evidence(id),
    list: (workspaceId, before, limit) => list(workspaceId, before, limit),
  }
}

/** `db` may be a transaction, which sees its own writes. */
export async function readSubmission(db: Kysely<Database>, id: SubmissionId): Promise<FoundSubmission> {
  const view = await views(db).where('submissions.submission_id', '=', id).executeTakeFirstOrThrow()
  return { view, evidence: await evidenceIn(db, id) }
}

export function evidenceIn(db: Kysely<Database>, id: SubmissionId): Promise<readonly EvidenceView[]> {
  return evidenceRows(db, id).execute()
}

function views(db: Kysely<Database>) {
  return db
    .selectFrom('submissions')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .leftJoin('kits', 'kits.kit_id', 'jobs.kit_id')
    .selectAll('submissions')
    .select(['jobs.status as job_status', 'jobs.updated_at as job_updated_at', 'jobs.kit_id'])
    .select(['jobs.blockers', 'jobs.lease_owner', 'jobs.lease_until', 'kits.downloads'])
}

function evidenceRows(db: Kysely<Database>, id: SubmissionId) {
  return db
    .selectFrom('evidence')
    .select(['name', 'sha256', 'size_bytes', 'media_type'])
    .where('submission_id', '=', id)
    .orderBy('position')
}
