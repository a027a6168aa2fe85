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
  evidenceOf,
  moveFiles,
  sameFile,
  type TakenFiles,
  takeOverFiles,
} from '../submissions/take-over-files.ts'
import { acceptOf } from '../submissions/submission.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { overtaken } from '../submissions/submission-refusals.ts'
import {
  closeRequest,
  folderOf,
  type ItemStatus,
  type ItemView,
  lockRequest,
  type MailingUnits,
  openParts,
  requests,
  type RequestRow,
  type RequestView,
  viewOf,
} from './request.ts'
import { mailClosed, mailSubmitted } from './request-mail.ts'
import type { RequestContext } from './request-routes.ts'
import { record, rejectOver } from './review-item.ts'
import { addRound, newDraft } from './drafts.ts'

/** Gathers what suppliers sent, and submits the period: the kit has the files of all its items, and a report of what is missing. */
export async function sealPeriod(
  ctx: RequestContext,
  row: RequestRow,
  { accept = [], early = false }: { readonly accept?: readonly string[]; readonly early?: boolean },
  caller: WorkspaceCaller,
): Promise<void> {
  const found = await ctx.units.read(caller, (reader) => viewOf(reader, row))
  if (!early) rejectEarly(found, ctx.clock.now())
  const taken = await takeOverFiles(ctx, await gather(ctx.db, found))
  await accepting(ctx.objects, taken.objects, () =>
    ctx.units.write(caller, 'seal period', (unit) => seal(unit, row.request_id, taken, accept, caller)),
  )
}

function rejectEarly({ from_on, period }: RequestView, nowMs: number): void {
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
  const period = await lockRequest(unit, id)
  rejectOver(period)
  const { submission_id } = period.newest!
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
    await keepStatus(unit, period, items, status)
  await unit.update(requests, id, { sealed_by: actorText(caller.actor) })
  const { items } = period
  const missing = items.filter(({ status }) => status === 'missing').length
  await record(unit, period, 'program.period_sealed', { submission_id, items: items.length, missing })
  const ready = await readSubmission(unit.db, submission_id)
  await queueSubmission(unit.db, ready.view, ready.evidence, caller, unit.at)
}

/** The items of a program have different IDs, whoever is asked for them. */
const keepStatus = (
  { db }: Unit,
  { request_id, parts }: RequestView,
  items: readonly ItemView[],
  sealed_status: ItemStatus | null,
): Promise<unknown> =>
  db
    .updateTable('request_items')
    .set({ sealed_status })
    .where('request_id', 'in', [request_id, ...parts.map((part) => part.request_id)])
    .where(
      'item_id',
      'in',
      items.map(({ item_id }) => item_id),
    )
    .execute()

const isSame = (a: readonly EvidenceTable[], b: readonly EvidenceTable[]): boolean =>
  JSON.stringify(a.map(placeOf)) === JSON.stringify(b.map(placeOf))

const placeOf = ({ submission_id, position, received }: EvidenceTable) => [submission_id, position, received]

/** What suppliers submitted, and was not sent back. What they said about themselves stays with it. */
async function gather(db: Db, { items }: RequestView): Promise<readonly EvidenceTable[]> {
  const answered = items.filter(({ status }) => status === 'accepted' || status === 'to_review')
  const gathered: EvidenceTable[] = []
  for (const [part, its] of Map.groupBy(answered, (item) => item.part)) {
    if (part?.handed === undefined) continue
    const sender = factsIn(part.handed.sender)
    const positions = new Set(its.flatMap(({ files }) => files.map(({ position }) => position)))
    for (const row of await evidenceOf(db, part.handed.submission_id)) {
      if (!positions.has(row.position)) continue
      const facts = [...factsIn(row.received), ...sender]
      gathered.push({ ...row, received: facts.length === 0 ? null : JSON.stringify(facts) })
    }
  }
  return gathered
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
async function closePeriod(unit: Unit, ctx: MailingUnits, row: RequestRow): Promise<void> {
  for (const part of openParts(await viewOf(unit, row))) {
    await closeRequest(unit, part)
    await mailClosed(unit, ctx, part, row.period ?? '')
  }
  await unit.update(requests, row.request_id, { closed_at: unit.at })
}

/** Opens a period again whose files were not sealed: a draft with the same files, without those that suppliers sent. */
export async function followFailed(ctx: MailingUnits, trx: Db, job: JobId): Promise<void> {
  for (const { submission_id, row, unit } of await answeredBy(ctx, trx, [job])) {
    if (row.program_id === null || row.sealed_by === null) continue
    const period = await viewOf(unit, row)
    const caller = await workspaceCaller(trx, row.workspace_id, actorOf(row.sealed_by))
    const asked = new Set(period.items.flatMap(({ item_id, part }) => (part === null ? [] : item_id)))
    const files = await evidenceOf(trx, submission_id)
    const kept = files.filter(({ name }) => !asked.has(folderOf(name)))
    const as = ctx.units.within(trx, caller)
    const draft = await newDraft(as, ctx, period, { files: kept, objects: [] }, caller)
    await moveFiles(trx, kept, draft)
    await addRound(unit, row, draft)
    await keepStatus(unit, period, period.items, null)
  }
}
