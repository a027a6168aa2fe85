import { workspaceCaller } from '../access/plans.ts'
import type { Unit } from '../database/unit.ts'
import type { Db, EvidenceTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { accepting } from '../objects/accepted-objects.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId, JobId } from '../runtime/identifiers.ts'
import { addEvidence } from '../submissions/add-evidence.ts'
import { acceptText } from '../submissions/create-submission.ts'
import { queueSubmission, submitted } from '../submissions/seal-submission.ts'
import { uploadTooLarge } from '../submissions/read-form.ts'
import { actorOf, actorText, factsIn } from '../submissions/provenance-report.ts'
import {
  moveFiles,
  resubmit,
  sameFile,
  type TakenFiles,
  takeOverFiles,
} from '../submissions/take-over-files.ts'
import { acceptOf, attributesOf, statedIn } from '../submissions/submission.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { overtaken } from '../submissions/submission-refusals.ts'
import { loadPeriod, openParts, type PeriodItem, type PeriodView, rejectSealed } from './period.ts'
import {
  closeRequest,
  folderOf,
  type ItemStatus,
  type Mailing,
  type MailingUnits,
  requests,
  type RequestRow,
} from './request.ts'
import { mailClosed, mailSubmitted } from './request-mail.ts'
import type { RequestContext } from './request-routes.ts'
import { recordOfPeriod } from './review-item.ts'
import { addRound } from './start-draft.ts'

/** Gathers what suppliers sent, and submits the period: the kit has the files of all its items, and a report of what is missing. */
export async function sealPeriod(
  ctx: RequestContext,
  row: RequestRow,
  { accept = [], early = false }: { readonly accept?: readonly string[]; readonly early?: boolean },
  caller: WorkspaceCaller,
): Promise<void> {
  const found = await ctx.units.read(caller, (reader) => loadPeriod(reader, row))
  if (!early) rejectEarly(found, ctx.clock.now())
  const taken = await takeOverFiles(ctx, await gather(ctx.db, found))
  await accepting(ctx.objects, taken.objects, () =>
    ctx.units.write(caller, 'seal period', (unit) => seal(unit, row.request_id, taken, accept, caller)),
  )
}

function rejectEarly({ from_on, period }: PeriodView, nowMs: number): void {
  if (from_on === null || Date.parse(from_on) <= nowMs) return
  throw new Refusal(
    'period_not_begun',
    `Period ${period} begins on ${from_on}. Send early=true to seal it before that.`,
  )
}

async function seal(
  unit: Unit,
  id: EvidenceRequestId,
  taken: TakenFiles,
  accept: readonly string[],
  caller: WorkspaceCaller,
): Promise<void> {
  const period = await loadPeriod(unit, await unit.own(requests).lock(id))
  rejectSealed(period)
  const { submission_id } = period.newest
  const { view: draft } = await readSubmission(unit.db, submission_id)
  // The statuses that were read before may have changed.
  if (!isSame(await gather(unit.db, period), taken.files)) throw overtaken()
  const { objects } = taken
  const files = taken.files.map(sameFile)
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const { uploadLimitBytes } = caller.plan
  if (Number(draft.uploaded_bytes) + sizeBytes > uploadLimitBytes) throw uploadTooLarge(uploadLimitBytes)
  const accepted = acceptText([...acceptOf(draft), ...accept])
  const added = { files, objects, sizeBytes, accept: accepted, changes: submitted(unit.at) }
  await addEvidence(unit.db, draft, added, caller, 'form', unit.at)
  // The kit has the statuses of this moment, and so has the period from now on.
  for (const [status, items] of Map.groupBy(period.items, (item) => item.status))
    await keepStatus(unit, items, status)
  await unit.update(requests, id, { sealed_by: actorText(caller.actor) })
  const { items } = period
  const missing = items.filter(({ status }) => status === 'missing').length
  await recordOfPeriod(unit, period, 'program.period_sealed', { submission_id, items: items.length, missing })
  const ready = await readSubmission(unit.db, submission_id)
  await queueSubmission(unit.db, ready.view, ready.evidence, caller, unit.at)
}

async function keepStatus({ db }: Unit, items: readonly PeriodItem[], sealed_status: ItemStatus | null) {
  for (const [request_id, own] of Map.groupBy(items, (item) => item.request_id))
    await db
      .updateTable('request_items')
      .set({ sealed_status })
      .where('request_id', '=', request_id)
      .where(
        'item_id',
        'in',
        own.map(({ item_id }) => item_id),
      )
      .execute()
}

const isSame = (a: readonly EvidenceTable[], b: readonly EvidenceTable[]): boolean =>
  JSON.stringify(a.map(placeOf)) === JSON.stringify(b.map(placeOf))

const placeOf = ({ submission_id, position, received }: EvidenceTable) => [submission_id, position, received]

/** Of items that were asked for: what the supplier submitted, and was not sent back. What they said about themselves stays with it. */
async function gather(db: Db, { items }: PeriodView): Promise<readonly EvidenceTable[]> {
  const answered = items.filter(
    ({ request, status }) => request !== null && (status === 'accepted' || status === 'to_review'),
  )
  const senders = new Map(
    answered.flatMap(({ request, files }) =>
      files.map((file) => [`${file.submission_id} ${file.position}`, request?.handed?.sender ?? null]),
    ),
  )
  const answers = [...new Set(answered.flatMap(({ files }) => files.map((file) => file.submission_id)))]
  if (answers.length === 0) return []
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where('submission_id', 'in', answers)
    .orderBy('submission_id')
    .orderBy('position')
    .execute()
  return rows.flatMap((row) => {
    const sender = senders.get(`${row.submission_id} ${row.position}`)
    if (sender === undefined) return []
    const facts = [...factsIn(row.received), ...factsIn(sender)]
    return [{ ...row, received: facts.length === 0 ? null : JSON.stringify(facts) }]
  })
}

/** The requests that submissions answer, in the transaction that ends them. */
async function answeredBy({ units }: MailingUnits, trx: Db, jobs: readonly JobId[]) {
  const rows = await trx
    .selectFrom('submissions')
    .innerJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
    .innerJoin('requests', 'requests.request_id', 'request_rounds.request_id')
    .select(['submissions.submission_id', 'requests.workspace_id', 'requests.request_id'])
    .where('job_id', 'in', jobs)
    .execute()
  const ended = []
  for (const { submission_id, workspace_id: workspaceId, request_id } of rows) {
    const unit = units.within(trx, { workspaceId, actor: { is: 'service' } })
    ended.push({ submission_id, unit, row: await unit.own(requests).lock(request_id) })
  }
  return ended
}

/** The requester learns of a submitted round by mail, and a period ends. */
export async function followIssued(ctx: MailingUnits, trx: Db, jobs: readonly JobId[]): Promise<void> {
  for (const { submission_id, row, unit } of await answeredBy(ctx, trx, jobs))
    if (row.program_id === null) await mailSubmitted(unit, ctx, row, submission_id)
    else await closePeriod(unit, ctx, row)
}

/** Closes what suppliers have not answered, and tells them: it cannot become part of the kit any more. */
async function closePeriod(unit: Unit, ctx: Mailing, row: RequestRow): Promise<void> {
  const period = await loadPeriod(unit, row)
  for (const part of openParts(period)) {
    await closeRequest(unit, part)
    await mailClosed(unit, ctx, part, period.period)
  }
  await unit.update(requests, row.request_id, { closed_at: unit.at })
}

/** Opens a period again whose files were not sealed: a draft with the same files, without those that suppliers sent. */
export async function followFailed(ctx: MailingUnits, trx: Db, job: JobId): Promise<void> {
  const { units } = ctx
  for (const { submission_id, row, unit } of await answeredBy(ctx, trx, [job])) {
    if (row.program_id === null || row.sealed_by === null) continue
    const period = await loadPeriod(unit, row)
    const caller = await workspaceCaller(trx, row.workspace_id, actorOf(row.sealed_by))
    const asked = new Set(period.items.flatMap(({ item_id, request }) => (request === null ? [] : [item_id])))
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
    const as = units.within(trx, caller)
    const { view: draft } = await resubmit(as, ctx, failed, { files: kept, objects: [] }, options, caller)
    await moveFiles(trx, kept, draft.submission_id)
    await addRound(unit, row, draft.submission_id)
    await keepStatus(unit, period.items, null)
  }
}
