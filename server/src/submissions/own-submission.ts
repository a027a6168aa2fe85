import type { FastifyRequest } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { isSubmissionId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionStatus, SubmissionView } from './submission.ts'
import type { SubmissionQueries } from './submission-queries.ts'

/** When to ask again, for what is not final. */
export const RETRY_AFTER_SECONDS: Readonly<Partial<Record<SubmissionStatus, string>>> = {
  PENDING: '1',
  RUNNING: '1',
}

/** The submission that a request names. One of another workspace is answered like one that does not exist. */
export async function ownSubmission(
  submissions: SubmissionQueries,
  request: Pick<FastifyRequest<{ Params: { readonly submission_id: string } }>, 'params' | 'caller'>,
): Promise<SubmissionView> {
  const { workspaceId } = workspaceOf(request.caller)
  const id = request.params.submission_id
  const view = isSubmissionId(id) ? await submissions.find(id) : undefined
  if (view === undefined || view.workspace_id !== workspaceId) {
    await submissions.equalizeTime(view)
    throw new Refusal('submission_not_found', 'There is no such submission.')
  }
  return view
}
