import type { Unit } from '../database/unit.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { accepting } from '../objects/accepted-objects.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId, SubmissionId } from '../runtime/identifiers.ts'
import { LIMITS } from '../settings/limits.ts'
import { type CreateContext, createSubmission } from '../submissions/create-submission.ts'
import { resubmit, storedFiles, type TakenFiles, takeOverFiles } from '../submissions/take-over-files.ts'
import { acceptOf, attributesOf, statedIn } from '../submissions/submission.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { lockRequest, requests, type RequestView } from './request.ts'
import type { RequestContext } from './request-routes.ts'
import { rejectDecided } from './review-item.ts'

/**
 * The draft of a request. The first one is empty, and each further one starts with the files of the round before: after a
 * failed round, when an item was reopened, and to add what was forgotten. Repeating it changes nothing.
 */
export async function startDraft(
  ctx: RequestContext,
  { request_id, newest }: RequestView,
  caller: WorkspaceCaller,
): Promise<SubmissionId> {
  const isOver = newest?.status === 'FAIL' || newest?.status === 'ISSUED'
  const files = isOver ? await storedFiles(ctx, newest.submission_id) : []
  const taken = await takeOverFiles(ctx, files)
  const run = () =>
    ctx.units.write(caller, 'start draft', (unit) => start(unit, ctx, request_id, taken, caller))
  return (await accepting(ctx.objects, taken.objects, run, ({ isNew }) => isNew)).submission_id
}

async function start(
  unit: Unit,
  ctx: RequestContext,
  id: EvidenceRequestId,
  taken: TakenFiles,
  caller: WorkspaceCaller,
): Promise<{ readonly submission_id: SubmissionId; readonly isNew: boolean }> {
  const view = await lockRequest(unit, id)
  const { newest } = view
  if (newest?.status === 'DRAFT') return { submission_id: newest.submission_id, isNew: false }
  rejectDecided(view)
  if (newest?.status === 'SUBMITTED' || newest?.status === 'PASS')
    throw new Refusal('submission_running', 'The files are being checked. Try again in a moment.')
  if (view.status === 'submitted' && newest?.status !== 'FAIL') await countCorrection(unit, ctx, view)
  const submission_id = await newDraft(unit, ctx, view, taken, caller)
  const round = await addRound(unit, view, submission_id)
  await unit.record('request.started', id, { round, submission_id })
  return { submission_id, isNew: true }
}

/** The draft stays as long as its request is open. */
export async function addRound(
  unit: Unit,
  { request_id, round: last }: Pick<RequestView, 'request_id' | 'round'>,
  submission_id: SubmissionId,
): Promise<number> {
  const round = last + 1
  await unit.db
    .updateTable('submissions')
    .set({ expires_at: null })
    .where('submission_id', '=', submission_id)
    .execute()
  await unit.db
    .insertInto('request_rounds')
    .values({ request_id, round, submission_id, sender: null })
    .execute()
  await unit.update(requests, request_id, { round })
  return round
}

/** Each round costs the requester a credit, and this one was not asked for. */
async function countCorrection(unit: Unit, { clock }: RequestContext, { request_id }: RequestView) {
  const limit = LIMITS.corrections.value
  if (await countToday(unit.db, clock, `corrections ${request_id}`, limit)) return
  throw new Refusal(
    'rate_limited',
    `Submitted files can be changed at most ${limit} times a day. Try again tomorrow, or ask the requester to send an item back.`,
    { args: { what: 'corrections', limit }, headers: { 'retry-after': `${secondsUntilTomorrow(clock)}` } },
  )
}

/** The next draft of a request or a period, with files of the round before. */
export async function newDraft(
  unit: Unit,
  ctx: CreateContext,
  { title, newest, series }: Pick<RequestView, 'title' | 'newest' | 'series'>,
  taken: TakenFiles,
  caller: WorkspaceCaller,
): Promise<SubmissionId> {
  if (newest === undefined) {
    const { view } = await createSubmission(unit.db, ctx, { label: title, series }, caller)
    return view.submission_id
  }
  const { view: before } = await readSubmission(unit.db, newest.submission_id)
  const options = {
    label: title,
    profile: before.profile,
    // Secrets are acknowledged anew, because the files may be others.
    accept: acceptOf(before).filter((code) => code !== 'possible_secret'),
    attributes: attributesOf(before),
    provenance: statedIn(before),
  }
  const { view } = await resubmit(unit, ctx, before, taken, options, caller)
  return view.submission_id
}
