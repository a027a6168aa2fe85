import type { Kysely } from 'kysely'
import { moveCredits } from '../access/credits.ts'
import type { NewEvent } from '../audit/audit-trail.ts'
import type { Database, SubmissionsTable } from '../database/schema.ts'
import { queueTask } from '../tasks/tasks.ts'
import { timestamp } from '../runtime/clock.ts'
import { SEAL } from './statuses.ts'
import { Refusal } from '../refusals.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { receivedFromOthers } from './received-by.ts'
import { acceptOf, type EvidenceView, type SubmissionView } from './submission.ts'

/** DRAFT → SUBMITTED, and holds one credit. Updates the workspace last, because that row is locked by every submission of the workspace. */
export async function queueSubmission(
  trx: Kysely<Database>,
  submission: SubmissionView,
  evidence: readonly EvidenceView[],
  { workspaceId, actor }: WorkspaceCaller,
  at: string,
): Promise<void> {
  if (evidence.length === 0)
    throw new Refusal('evidence_invalid', 'The submission has no files. Add at least one.')
  const { submission_id, uploads } = submission
  await submitJob(trx, submission, at)
  await queueSealing(trx, submission)
  // A single upload is that of the caller.
  const others = uploads === 1 ? [] : await receivedFromOthers(trx, submission_id, actor)
  const event = { workspaceId, subject: submission_id, at } as const
  const received = others.map((other): NewEvent =>
    Object.assign({ action: 'evidence.received' as const }, event, other),
  )
  const accept = acceptOf(submission)
  const details = {
    files: evidence.length,
    bytes: submission.uploaded_bytes,
    ...(uploads === 1 ? {} : { uploads }),
    ...(accept.length === 0 ? {} : { accept: accept.join(' ') }),
  }
  const hold = { workspaceId, kind: 'hold', amount: 1, submissionId: submission_id, at } as const
  const submitted: NewEvent = { ...event, actor, action: 'submission.sealed', details }
  if (!(await moveCredits(trx, [hold], [...received, submitted]))) throw noCredits()
}

/** Whatever the clock of a node shows. The IDs of jobs are in the order of time. */
const AT_ONCE = timestamp(0)

/** In the commit that submits the job. */
export const queueSealing = (
  trx: Kysely<Database>,
  { job_id, workspace_id }: Pick<SubmissionsTable, 'job_id' | 'workspace_id'>,
): Promise<void> => queueTask(trx, { kind: SEAL, key: job_id, workspaceId: workspace_id, dueAt: AT_ONCE })

async function submitJob(
  trx: Kysely<Database>,
  { submission_id }: SubmissionView,
  at: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('submissions')
    .set({ status: 'SUBMITTED', job_updated_at: at, expires_at: null })
    .where('submission_id', '=', submission_id)
    .where('status', '=', 'DRAFT')
    .where('open_uploads', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw (await isDraft(trx, submission_id)) ? unfinished() : alreadySubmitted()
}

async function isDraft(trx: Kysely<Database>, id: SubmissionView['submission_id']): Promise<boolean> {
  const row = await trx
    .selectFrom('submissions')
    .select('status')
    .where('submission_id', '=', id)
    .executeTakeFirst()
  return row?.status === 'DRAFT'
}

export const alreadySubmitted = (): Refusal =>
  new Refusal(
    'submission_submitted',
    'This submission was submitted and accepts no more evidence. Create a new one.',
  )

export const stillRunning = (): Refusal =>
  new Refusal('submission_running', 'The submission is being processed. Try again when it is PASS or FAIL.')

export const unfinished = (): Refusal =>
  new Refusal(
    'uploads_unfinished',
    'Some resumable uploads of this submission are not finished. Finish or delete them, then submit.',
  )

export const overtaken = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission finished first. Get the submission, then retry if needed.',
  )

export const noCredits = (): Refusal =>
  new Refusal(
    'credits_exhausted',
    'This workspace has no credits left. Ask the operator for credits, then upload again.',
  )
