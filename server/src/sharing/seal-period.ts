import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db, EvidenceTable, SubmissionsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { workspaceCaller } from '../access/plan-rows.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId, SubmissionId } from '../runtime/identifiers.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { addEvidence } from '../submissions/add-evidence.ts'
import { acceptText, type CreateContext } from '../submissions/create-submission.ts'
import { partOf } from '../submissions/submission-refusals.ts'
import { queueSubmission } from '../submissions/seal-submission.ts'
import { uploadTooLarge } from '../submissions/read-form.ts'
import { actorOf, actorText } from '../submissions/received-by.ts'
import { factsIn } from '../submissions/received-facts.ts'
import { resubmit, sameFile } from '../submissions/resubmit.ts'
import { acceptOf, attributesOf, statedIn } from '../submissions/submission.ts'
import type { AdmittedTo } from '../submissions/submission-context.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { closeRequest } from './close-request.ts'
import { type FilledPeriod, fillPeriod, folderOf } from './period-items.ts'
import {
  findPeriod,
  lockProgram,
  periodOfSubmission,
  type PeriodView,
  rejectSealed,
} from './program-queries.ts'
import { mailClosed, type RequestMailContext } from './request-mail.ts'
import { lockRequest } from './request-queries.ts'

type SealContext = Pick<Context, 'db' | 'clock' | 'objects'>

/** Gathers what suppliers sent, and submits the period: the kit has the files of all its items, and a report of what is missing. */
export async function sealPeriod(
  ctx: SealContext,
  found: PeriodView,
  accept: readonly string[],
  caller: WorkspaceCaller,
): Promise<void> {
  const gathered = await gather(ctx.db, await fillPeriod(ctx.db, found, timestamp(ctx.clock.now())))
  for (const { sha256, name } of gathered)
    if (!(await ctx.objects.has(sha256)))
      throw new Refusal('evidence_gone', `${JSON.stringify(name)} is no longer stored. Ask for it again.`)
  const objects = gathered.map(({ sha256 }) => sha256)
  await referenceObjects(ctx.db, objects, () =>
    transact(ctx.db, (trx) => seal(trx, ctx, found, accept, caller)),
  )
}

async function seal(
  trx: Db,
  { clock }: SealContext,
  { program_id, period }: PeriodView,
  accept: readonly string[],
  caller: WorkspaceCaller,
): Promise<void> {
  const at = timestamp(clock.now())
  const { workspace_id: workspaceId } = await lockProgram(trx, program_id)
  const view = await findPeriod(trx, program_id, period)
  rejectSealed(view)
  const filled = await fillPeriod(trx, view, at)
  const { view: draft } = await readSubmission(trx, view.submission_id)
  const accepted = acceptText([...acceptOf(draft), ...accept])
  const files = (await gather(trx, filled)).map(sameFile)
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const { uploadLimitBytes } = caller.plan
  if (Number(draft.uploaded_bytes) + sizeBytes > uploadLimitBytes) throw uploadTooLarge(uploadLimitBytes)
  await addEvidence(trx, draft, { files, sizeBytes, accept: accepted }, caller, 'form', at)
  await keepStatuses(trx, filled)
  await trx
    .updateTable('program_periods')
    .set({ failed_submission_id: null, sealed_by: actorText(caller.actor) })
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .execute()
  const missing = filled.items.filter(({ status }) => status === 'missing').length
  const details = { period, submission_id: view.submission_id, items: filled.items.length, missing }
  const event = { workspaceId, actor: caller.actor, subject: program_id, details, at } as const
  await recordEvent(trx, { ...event, action: 'program.period_sealed' })
  const ready = await readSubmission(trx, view.submission_id)
  await queueSubmission(trx, ready.view, ready.evidence, caller, at)
}

/** Of items that were asked for: what the supplier submitted, and was not sent back. */
async function gather(db: Db, { items, submission_id }: FilledPeriod): Promise<readonly EvidenceTable[]> {
  const files = items
    .filter(
      ({ request_id, status }) => request_id !== null && (status === 'accepted' || status === 'to_review'),
    )
    .flatMap((item) => item.files)
    .filter((file) => file.submission_id !== submission_id)
  const wanted = new Set(files.map((file) => `${file.submission_id} ${file.position}`))
  const answers = [...new Set(files.map((file) => file.submission_id))] as SubmissionId[]
  if (answers.length === 0) return []
  const rows = await db
    .selectFrom('evidence')
    .leftJoin('request_rounds', 'request_rounds.submission_id', 'evidence.submission_id')
    .selectAll('evidence')
    .select('request_rounds.sender')
    .where('evidence.submission_id', 'in', answers)
    .execute()
  // What the supplier said about themselves stays with their files.
  return rows
    .filter((row) => wanted.has(`${row.submission_id} ${row.position}`))
    .map(({ sender, ...row }) => {
      const facts = [...factsIn(row.received), ...factsIn(sender)]
      return Object.assign(row, { received: facts.length === 0 ? null : JSON.stringify(facts) })
    })
}

/** The kit has the statuses of this moment, and so has the period from now on. */
async function keepStatuses(trx: Db, { program_id, period, items }: FilledPeriod): Promise<void> {
  for (const [sealed_status, own] of Map.groupBy(items, ({ status }) => status))
    await trx
      .updateTable('period_items')
      .set({ sealed_status })
      .where('program_id', '=', program_id)
      .where('period', '=', period)
      .where(
        'item_id',
        'in',
        own.map(({ item_id }) => item_id),
      )
      .execute()
}

/** Opens a period again whose files were not sealed: a draft with the same files, without those that suppliers sent. */
export async function reopenPeriod(
  trx: Db,
  ctx: CreateContext,
  job: Readonly<SubmissionsTable>,
): Promise<void> {
  const view = await periodOfSubmission(trx, job.submission_id)
  if (view === undefined || view.sealed_by === null) return
  const { program_id, period, submission_id } = view
  const { workspace_id } = await lockProgram(trx, program_id)
  const caller = await workspaceCaller(trx, workspace_id, actorOf(view.sealed_by))
  const items = await trx
    .selectFrom('period_items')
    .select(['item_id', 'request_id'])
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .execute()
  const asked = new Set(items.flatMap(({ item_id, request_id }) => (request_id === null ? [] : [item_id])))
  const files = await trx
    .selectFrom('evidence')
    .selectAll()
    .where('submission_id', '=', submission_id)
    .orderBy('position')
    .execute()
  const kept = files.filter(({ name }) => !asked.has(folderOf(name)))
  const { view: failed } = await readSubmission(trx, submission_id)
  // Secrets are acknowledged anew, because the files may be others.
  const accept = acceptOf(failed).filter((code) => code !== 'possible_secret')
  const { label, profile } = failed
  const options = { label, profile, accept, attributes: attributesOf(failed), provenance: statedIn(failed) }
  const { view: draft } = await resubmit(trx, ctx, failed, kept, options, caller)
  await trx.updateTable('submissions').set({ expires_at: null }).where('job_id', '=', draft.job_id).execute()
  await trx
    .updateTable('program_periods')
    .set({ submission_id: draft.submission_id, failed_submission_id: submission_id })
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .execute()
  await trx
    .updateTable('period_items')
    .set({ sealed_status: null })
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .execute()
}

/** Closes what suppliers have not answered when a period is sealed, and tells them: it cannot become part of its kit any more. */
export async function closePeriod(
  trx: Db,
  ctx: RequestMailContext,
  submissionId: SubmissionId,
): Promise<void> {
  const view = await periodOfSubmission(trx, submissionId)
  if (view === undefined) return
  const asked = await trx
    .selectFrom('period_items')
    .innerJoin('programs', 'programs.program_id', 'period_items.program_id')
    .select(['request_id', 'programs.workspace_id'])
    .$narrowType<{ request_id: EvidenceRequestId }>()
    .where('period_items.program_id', '=', view.program_id)
    .where('period', '=', view.period)
    .where('request_id', 'is not', null)
    .execute()
  for (const [id, workspaceId] of new Map(asked.map((row) => [row.request_id, row.workspace_id]))) {
    const request = await lockRequest(trx, id)
    if (request.status === 'accepted' || request.status === 'closed') continue
    await closeRequest(trx, ctx, request, { workspaceId, actor: { is: 'service' } })
    await mailClosed(trx, ctx, id, view.period)
  }
}

/**
 * The draft of a request is its supplier's, who alone adds files and submits it. That of a period takes files of its internal
 * items, and is submitted when the period is sealed.
 */
export async function admitToDraft(
  db: Db,
  { submission_id, series, evidence_request_id }: AdmittedTo,
  names: readonly string[],
  isFinal: boolean,
): Promise<void> {
  if (evidence_request_id !== null) throw partOf('request')
  // The draft of a period is in the series of its program.
  const view = series === null ? undefined : await periodOfSubmission(db, submission_id)
  if (view === undefined) return
  if (isFinal)
    throw new Refusal(
      'submission_of_period',
      `This draft belongs to the period ${view.period} of a program. Send final=false, and seal the period when it is complete.`,
      { param: 'final' },
    )
  const items = await db
    .selectFrom('period_items')
    .select(['item_id', 'request_id'])
    .where('program_id', '=', view.program_id)
    .where('period', '=', view.period)
    .execute()
  const sources = new Map(items.map(({ item_id, request_id }) => [item_id, request_id]))
  for (const name of names) {
    const request = sources.get(folderOf(name))
    if (request === undefined)
      throw new Refusal(
        'evidence_invalid',
        name.includes('/')
          ? `This period has no item ${JSON.stringify(folderOf(name))}.`
          : `${JSON.stringify(name)} is in the folder of no item. Name it ITEM/FILE, such as ${JSON.stringify(`${items[0]?.item_id ?? 'ITEM'}/${name}`)}.`,
      )
    if (request !== null)
      throw new Refusal(
        'evidence_invalid',
        `${JSON.stringify(folderOf(name))} is supplied through the request ${request}.`,
      )
  }
}
