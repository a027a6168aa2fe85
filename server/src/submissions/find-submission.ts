import type { FastifyReply, FastifyRequest } from 'fastify'
import { type IdempotentResponse, sendStoredResponse, type StoredResponse } from '../http/idempotency.ts'
import { workspaceOf } from '../http/caller.ts'
import type { ConstantTimeLookup } from '../database/secret.ts'
import { timestamp } from '../runtime/clock.ts'
import { isSubmissionId, type SubmissionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionStatus } from './statuses.ts'
import { submissionRecord, type SubmissionView } from './submission.ts'
import type { FoundSubmission, SubmissionRow } from './submission-queries.ts'

/** When to poll again, as `Retry-After`. Undefined if the status is final. */
export function pollAfter(
  { queue }: Pick<SubmissionContext, 'queue'>,
  view: SubmissionView,
  status: SubmissionStatus,
): string | undefined {
  if (status !== 'PENDING' && status !== 'RUNNING') return undefined
  // A draft waits for its files, and a running one is nearly done.
  const isWaiting = status === 'PENDING' && view.status === 'SUBMITTED'
  return isWaiting ? queue.retryAfter(view.workspace_id) : '1'
}

/** The submission of a request. A submission of another workspace is reported as not found. */
export async function findSubmission<Row extends SubmissionRow>(
  { submissions }: { readonly submissions: ConstantTimeLookup<SubmissionId, Row> },
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

/** The response that creates a submission, to be stored. */
export const created = (
  { clock, config }: Pick<SubmissionContext, 'clock' | 'config'>,
  { view, evidence }: FoundSubmission,
): StoredResponse => ({
  status: 201,
  body: JSON.stringify(submissionRecord(view, evidence, timestamp(clock.now()), config.proof)),
})

export function sendCreated(reply: FastifyReply, answer: IdempotentResponse): FastifyReply {
  const { submission_id } = JSON.parse(answer.body) as { readonly submission_id: string }
  reply.header('location', `/v1/submissions/${submission_id}`)
  return sendStoredResponse(reply, answer)
}
