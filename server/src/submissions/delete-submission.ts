import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { type EraseContext, eraseKit, isHeld, lockJob } from '../kits/erase-kit.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { stillRunning } from './submission-refusals.ts'
import { rejectPart } from './submission-refusals.ts'
import { actorText } from './received-by.ts'
import type { SubmissionView } from './submission.ts'
import { countEvidence } from './submission-queries.ts'

/** Deletes the evidence of a submission by order of someone. Repeating it changes nothing. */
export async function deleteSubmission(
  ctx: EraseContext,
  view: SubmissionView,
  caller: WorkspaceCaller,
): Promise<void> {
  if (view.status === 'EXPIRED') return
  if (view.status === 'ISSUED') return eraseIssued(ctx, view, caller)
  await transact(ctx.db, (trx) => deleteUnissued(trx, ctx, view, caller))
}

async function eraseIssued(
  ctx: EraseContext,
  { submission_id, job_id, workspace_id }: SubmissionView,
  { actor }: WorkspaceCaller,
): Promise<void> {
  const kit = await ctx.db
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .select(['kits.kit_id', 'kits.entries', 'kits.receipt'])
    .where('submissions.job_id', '=', job_id)
    .executeTakeFirstOrThrow()
  const order = { reason: 'request', rule: null, ordered_by: actorText(actor) } as const
  const erased = await eraseKit(ctx, { ...kit, job_id, workspace_id }, order, ({ files, bytes }) => ({
    actor,
    action: 'submission.erased',
    subject: submission_id,
    details: { kit_id: kit.kit_id, files, bytes },
  }))
  if (erased.is === 'held') throw held()
  if (erased.is === 'reissuing')
    throw new Refusal(
      'submission_running',
      'The kit is being re-issued with the same evidence. Try again later.',
    )
}

/** Drafts and failed submissions have no kit, so nothing remains that an erasure record could be about. */
async function deleteUnissued(
  trx: Db,
  { clock }: EraseContext,
  submission: SubmissionView,
  { workspaceId, actor }: WorkspaceCaller,
): Promise<void> {
  const { submission_id, job_id, uploaded_bytes } = submission
  const status = await lockJob(trx, job_id)
  if (status === 'EXPIRED') return
  if (status !== 'DRAFT' && status !== 'FAIL') throw stillRunning()
  rejectPart(submission, ['period'])
  if (await isHeld(trx, job_id)) throw held()
  const at = timestamp(clock.now())
  await trx
    .updateTable('submissions')
    .set({ status: 'EXPIRED', job_updated_at: at })
    .where('job_id', '=', job_id)
    .execute()
  const details = { files: await countEvidence(trx, submission_id), bytes: Number(uploaded_bytes) }
  const event = { workspaceId, actor, subject: submission_id, details, at } as const
  await recordEvent(trx, { ...event, action: 'submission.deleted' })
}

const held = (): Refusal =>
  new Refusal('submission_held', 'The submission is under a legal hold. Release the hold first, if you may.')
