import type { SubmissionProvenance } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { Db, EvidenceTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { EvidenceRequestId, SubmissionId } from '../runtime/identifiers.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { Refusal } from '../refusals.ts'
import { LIMITS } from '../settings/limits.ts'
import { createSubmission } from '../submissions/create-submission.ts'
import { resubmit, type ResubmitContext, storedFiles } from '../submissions/resubmit.ts'
import { acceptOf, statedIn } from '../submissions/submission.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { type ItemRow, lockRequest, readRequest, type RequestView } from './request-queries.ts'
import type { ItemStatus } from '../database/request-schema.ts'

/**
 * The draft of a request. The first one is empty, and each further one starts with the files of the round before: after a
 * failed round, when an item was reopened, and to add what was forgotten. Repeating it changes nothing.
 */
export async function startDraft(
  ctx: ResubmitContext,
  evidenceRequestId: EvidenceRequestId,
  caller: WorkspaceCaller,
): Promise<SubmissionId> {
  const before = await readRequest(ctx.db, evidenceRequestId)
  const files = before?.submission_id == null ? [] : await filesToKeep(ctx, before.submission_id, before)
  const objects = files.map(({ sha256 }) => sha256)
  return referenceObjects(ctx.db, objects, () =>
    transact(ctx.db, (trx) => start(trx, ctx, evidenceRequestId, files, caller)),
  )
}

const filesToKeep = (
  ctx: ResubmitContext,
  id: SubmissionId,
  { job_status }: RequestView,
): Promise<readonly EvidenceTable[]> | readonly EvidenceTable[] =>
  job_status === 'FAIL' || job_status === 'ISSUED' ? storedFiles(ctx, id) : []

async function start(
  trx: Db,
  ctx: ResubmitContext,
  evidenceRequestId: EvidenceRequestId,
  files: readonly EvidenceTable[],
  caller: WorkspaceCaller,
): Promise<SubmissionId> {
  const view = await lockRequest(trx, evidenceRequestId)
  if (view.submission_id !== null && view.job_status === 'DRAFT') return view.submission_id
  rejectDecided(view)
  if (view.job_status === 'SUBMITTED' || view.job_status === 'PASS')
    throw new Refusal('submission_running', 'The files are being checked. Try again in a moment.')
  if (view.status === 'submitted' && view.job_status !== 'FAIL') await countCorrection(trx, ctx.clock, view)
  const submissionId = await newDraft(trx, ctx, view, files, caller)
  const round = view.round + 1
  await trx
    .insertInto('request_rounds')
    .values({
      request_id: evidenceRequestId,
      round,
      submission_id: submissionId,
      sender: null,
    })
    .execute()
  const at = timestamp(ctx.clock.now())
  await trx
    .updateTable('requests')
    .set({ round, updated_at: at })
    .where('request_id', '=', evidenceRequestId)
    .execute()
  const { workspaceId, actor } = caller
  const details = { round, submission_id: submissionId }
  await recordEvent(trx, {
    workspaceId,
    actor,
    action: 'request.started',
    subject: evidenceRequestId,
    details,
    at,
  })
  return submissionId
}

/** Each round costs the requester a credit, and this one was not asked for. */
async function countCorrection(trx: Db, clock: Clock, { request_id }: RequestView): Promise<void> {
  const limit = LIMITS.corrections.value
  if (await countToday(trx, clock, `corrections ${request_id}`, limit)) return
  throw new Refusal(
    'rate_limited',
    `Submitted files can be changed at most ${limit} times a day. Try again tomorrow, or ask the requester to send an item back.`,
    { headers: { 'retry-after': `${secondsUntilTomorrow(clock)}` } },
  )
}

async function newDraft(
  trx: Db,
  ctx: ResubmitContext,
  { title, submission_id, series }: RequestView,
  files: readonly EvidenceTable[],
  caller: WorkspaceCaller,
): Promise<SubmissionId> {
  const kept = await keptFrom(trx, submission_id)
  const options = { label: title, profile: 'default', ...kept }
  const { view } =
    submission_id === null || files.length === 0
      ? await createSubmission(trx, ctx, { ...options, series }, caller)
      : await resubmit(trx, ctx, { submission_id }, files, { ...options, attributes: { series } }, caller)
  // It stays as long as the request is open.
  await trx.updateTable('submissions').set({ expires_at: null }).where('job_id', '=', view.job_id).execute()
  return view.submission_id
}

/** What a draft takes over from the round before. */
async function keptFrom(
  trx: Db,
  id: SubmissionId | null,
): Promise<{ readonly accept: string[]; readonly provenance?: SubmissionProvenance | null }> {
  if (id === null) return { accept: [] }
  const row = await trx
    .selectFrom('submissions')
    .select(['accept', 'provenance'])
    .where('submission_id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return { accept: [] }
  // Secrets are acknowledged anew, because the files may be others.
  const accept = acceptOf(row).filter((code) => code !== 'possible_secret')
  return { accept, provenance: statedIn(row) }
}

/** For changes by the supplier. */
export function rejectDecided({ status }: Pick<RequestView, 'status'>): void {
  if (status === 'accepted' || status === 'closed')
    throw new Refusal('request_not_open', `This request is ${status}. Nothing can be changed any more.`)
}

const LOCKED: ReadonlySet<ItemStatus> = new Set(['accepted', 'not_applicable'] as const)

/** What the requester has decided stays as it is, unless the requester sends it back. */
export function rejectLocked(item: ItemRow | undefined): void {
  if (item !== undefined && LOCKED.has(item.status))
    throw new Refusal(
      'request_item_locked',
      `The requester has decided on ${JSON.stringify(item.title)}. It can be changed when they send it back.`,
    )
}
