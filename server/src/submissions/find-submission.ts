import type { FastifyRequest } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import type { ConstantTimeLookup } from '../database/constant-time-lookup.ts'
import { isSubmissionId, type SubmissionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionStatus } from './statuses.ts'
import type { SubmissionView } from './submission.ts'

/** When to poll again, as `Retry-After`. Undefined if the status is final. */
export function pollAfter(
  { queue }: Pick<SubmissionContext, 'queue'>,
  view: SubmissionView,
  status: SubmissionStatus,
): string | undefined {
  if (status !== 'PENDING' && status !== 'RUNNING') return undefined
  // A draft waits for its files, and a running one is nearly done.
  const isWaiting = status === 'PENDING' && view.job_status === 'SUBMITTED'
  return isWaiting ? queue.retryAfter(view.workspace_id, view.job_updated_at) : '1'
}

/** The submission of a request. A submission of another workspace is reported as not found. */
export async function findSubmission<Row extends SubmissionView>(
  submissions: ConstantTimeLookup<SubmissionId, Row>,
  request: Pick<FastifyRequest<{ Params: { readonly submission_id: string } }>, 'params' | 'caller'>,
): Promise<Row> {
  const { workspaceId } = workspaceOf(request.caller)
  const id = request.params.submission_id
  const view = isSubmissionId(id) ? await submissions.find(id) : undefined
  if (view === undefined || view.workspace_id !== workspaceId) {
    await submissions.equalizeTime(view)
    throw new Refusal('submission_not_found', 'Submission not found in this workspace.')
  }
  return view
}
