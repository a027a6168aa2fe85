import { BOUNDARY } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import type { EvidenceRequest, RequestFile, RequestItem, RequestStatus } from './request-schemas.ts'
import { type Plan, planLimits } from '../settings/plan.ts'
import { statusOf, type SubmissionStatus } from '../submissions/statuses.ts'
import { findingsOf } from '../submissions/submission.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { itemRecords, otherFiles, progressOf } from './request.ts'
import type { FindingRecord } from '../submissions/submission-schemas.ts'
import { readParts, type RequestView } from './request-queries.ts'

/** What the supplier sees of a request: nothing about the workspace but its name. */
export interface SupplierView {
  readonly title: string
  readonly message: string | null
  /** The name of the workspace that asks. */
  readonly requester: string
  readonly status: RequestStatus
  readonly due_at: string | null
  readonly round: number
  readonly progress: EvidenceRequest['progress']
  readonly items: readonly RequestItem[]
  readonly other_files: readonly RequestFile[]
  /** The newest round. Null until the supplier has started. */
  readonly submission: {
    readonly submission_id: string
    readonly status: SubmissionStatus
    /** Whether files can be added and removed. */
    readonly draft: boolean
    readonly findings: readonly FindingRecord[]
  } | null
  readonly kit_id: string | null
  /** Of the plan of the requester, for the check in the browser. */
  readonly limits: Pick<
    ReturnType<typeof planLimits>,
    'upload_limit_bytes' | 'unpacked_files' | 'unpacked_limit_bytes' | 'unpacked_ratio'
  >
  readonly boundary: string
}

export async function supplierView(
  db: Db,
  view: RequestView,
  plan: Plan,
  now: string,
): Promise<SupplierView> {
  const parts = await readParts(db, view)
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('workspace_id', '=', view.workspace_id)
    .executeTakeFirstOrThrow()
  const { upload_limit_bytes, unpacked_files, unpacked_limit_bytes, unpacked_ratio } = planLimits(plan)
  return {
    title: view.title,
    message: view.message,
    requester: name,
    status: view.status,
    due_at: view.due_at,
    round: view.round,
    progress: progressOf(parts.items.map(({ status }) => status)),
    items: itemRecords(parts, 'supplier'),
    other_files: otherFiles(parts),
    submission: await submissionOf(db, view, now),
    kit_id: view.kit_id,
    limits: { upload_limit_bytes, unpacked_files, unpacked_limit_bytes, unpacked_ratio },
    boundary: BOUNDARY,
  }
}

async function submissionOf(
  db: Db,
  { submission_id, job_status }: RequestView,
  now: string,
): Promise<SupplierView['submission']> {
  if (submission_id === null || job_status === null || job_status === 'EXPIRED') return null
  const { view } = await readSubmission(db, submission_id)
  return {
    submission_id,
    status: statusOf(view, now),
    draft: job_status === 'DRAFT',
    findings: findingsOf(view),
  }
}
