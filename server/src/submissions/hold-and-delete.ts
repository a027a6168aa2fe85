import { Type } from 'typebox'
import { requireFullAccess } from '../access/may-call.ts'
import type { Unit } from '../database/unit.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { body } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import { LABEL } from '../http/schema-parts.ts'
import { type EraseContext, eraseKit, isHeld, lockJob } from '../kits/erase-kit.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from './provenance-report.ts'
import { SubmissionAnswer, submissionRecord, type SubmissionView } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { evidenceIn, findSubmission, readSubmission } from './submission-queries.ts'
import { rejectPart, stillRunning } from './submission-refusals.ts'

const HoldBody = body('HoldRequest', {
  reason: Type.String({ ...LABEL, description: 'One line of text, such as the name of the case.' }),
})
const access = { scope: 'admin', role: 'owner' } as const
type Submissions = Pick<SubmissionContext, 'submissions' | 'config'>

/** Legal hold and deletion. */
export const holdRoutes = [
  route('placeHold', 'PUT /v1/submissions/:submission_id/hold', {
    access,
    bodyLimit: 4096,
    summary: 'Place a legal hold',
    description:
      'While the hold is in place, the evidence is kept: retention does not expire it, and nobody can delete it. A second call changes the reason. 409 if the evidence is already gone.',
    body: HoldBody,
    example: { reason: 'case 2026-14' },
    codes: ['evidence_gone', 'object_unavailable'],
    returns: SubmissionAnswer,
    prepare: (ctx: Submissions & Service, call) => findSubmission(ctx, call),
    async handle(unit, { body: { reason }, caller }, { config }: Submissions, view) {
      await placeHold(unit, view, reason, workspaceOf(caller))
      const held = await readSubmission(unit.db, view.submission_id)
      return submissionRecord(held.view, held.evidence, unit.at, config.proof)
    },
  }),
  route('releaseHold', 'DELETE /v1/submissions/:submission_id/hold', {
    access,
    summary: 'Release a legal hold',
    description: 'Retention and deletion apply again. Without a hold, nothing happens.',
    prepare: (ctx: Submissions & Service, call) => findSubmission(ctx, call),
    async handle(unit, _call, _service: Submissions, { submission_id }) {
      const { numDeletedRows } = await unit.db
        .deleteFrom('holds')
        .where('submission_id', '=', submission_id)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await unit.record('submission.released', submission_id)
    },
  }),
  route('deleteSubmission', 'DELETE /v1/submissions/:submission_id', {
    access: { ...access, ofDrafts: { scope: 'submit', role: 'member' } },
    summary: 'Delete the evidence of a submission',
    description:
      'The submission becomes EXPIRED, and its evidence is deleted within the hour. Manifest, receipt and log proof of an issued kit stay, and a signed erasure record says what was deleted. 409 under a legal hold, or while the submission is processed. Repeating it changes nothing. A draft needs only the scope `submit`.',
    codes: ['submission_held', 'submission_of_period', 'submission_running'],
    async run(ctx: Submissions & EraseContext & Service, call) {
      const view = await findSubmission(ctx, call)
      if (view.status !== 'DRAFT' && !isGivenUp(view)) requireFullAccess(call.request)
      await deleteSubmission(ctx, view, workspaceOf(call.caller))
    },
  }),
]

/** A draft that was deleted, or that expired. */
const isGivenUp = ({ status, kit_id }: SubmissionView): boolean => status === 'EXPIRED' && kit_id === null

/** Places a legal hold, or changes its reason. Rejected once the evidence is gone. */
export async function placeHold(
  unit: Unit,
  { submission_id, job_id }: SubmissionView,
  reason: string,
  { actor }: WorkspaceCaller,
): Promise<void> {
  const { db, at } = unit
  // Erasing locks the job too, so that one of the two comes first.
  const status = await lockJob(db, job_id)
  if (status === 'EXPIRED')
    throw new Refusal('evidence_gone', 'The evidence of this submission was already deleted.')
  const hold = { reason, placed_at: at, placed_by: actorText(actor) }
  await db
    .insertInto('holds')
    .values({ submission_id, ...hold })
    .onConflict((conflict) => conflict.column('submission_id').doUpdateSet(hold))
    .execute()
  await unit.record('submission.held', submission_id, { reason })
}

/** Deletes the evidence of a submission by order of someone. Repeating it changes nothing. */
export async function deleteSubmission(
  ctx: EraseContext & Service,
  view: SubmissionView,
  caller: WorkspaceCaller,
): Promise<void> {
  if (view.status === 'EXPIRED') return
  if (view.status === 'ISSUED') return eraseIssued(ctx, view, caller)
  await ctx.units.write(caller, 'delete submission', (unit) => deleteUnissued(unit, view))
}

async function eraseIssued(
  ctx: EraseContext,
  { submission_id, job_id, workspace_id }: SubmissionView,
  { actor }: WorkspaceCaller,
): Promise<void> {
  const kit = await ctx.db
    .selectFrom('kits')
    .selectAll()
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow()
  const order = { reason: 'request', rule: null, ordered_by: actorText(actor) } as const
  const erased = await eraseKit(ctx, { ...kit, workspace_id }, order, ({ files, bytes }) => ({
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
async function deleteUnissued(unit: Unit, submission: SubmissionView): Promise<void> {
  const { db } = unit
  const { submission_id, job_id, uploaded_bytes } = submission
  const status = await lockJob(db, job_id)
  if (status === 'EXPIRED') return
  if (status !== 'DRAFT' && status !== 'FAIL') throw stillRunning()
  rejectPart(submission, ['period'])
  if (await isHeld(db, job_id)) throw held()
  await db
    .updateTable('submissions')
    .set({ status: 'EXPIRED', job_updated_at: unit.at })
    .where('job_id', '=', job_id)
    .execute()
  const details = { files: (await evidenceIn(db, submission_id)).length, bytes: uploaded_bytes }
  await unit.record('submission.deleted', submission_id, details)
}

const held = (): Refusal =>
  new Refusal('submission_held', 'The submission is under a legal hold. Release the hold first, if you may.')
