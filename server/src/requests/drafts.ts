import { asLine } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { Service } from '../http/route.ts'
import { accepting } from '../objects/accepted-objects.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId, SubmissionId } from '../runtime/identifiers.ts'
import { LIMITS } from '../settings/limits.ts'
import { removeEvidence } from '../submissions/add-evidence.ts'
import { type CreateContext, createSubmission } from '../submissions/create-submission.ts'
import type { ReceivedFact } from '../submissions/provenance-report.ts'
import { resubmit, storedFiles, type TakenFiles, takeOverFiles } from '../submissions/take-over-files.ts'
import { acceptOf, attributesOf, statedIn } from '../submissions/submission.ts'
import type { Admitted } from '../submissions/submission-context.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { partOf } from '../submissions/submission-refusals.ts'
import { remarks } from './remarks.ts'
import { folderOf, hashOf, lockRequest, requests, type RequestView, viewOf } from './request.ts'
import type { RequestContext } from './request-routes.ts'
import { rejectDecided, rejectLocked } from './review-item.ts'

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

/**
 * The draft of a request is its supplier's, who alone adds files and submits it. That of a period takes files of its internal
 * items, and is submitted when the period is sealed.
 */
export const admitFiles =
  ({ units }: Service) =>
  async (db: Db, { request_id, ...of }: Admitted, caller: WorkspaceCaller): Promise<void> => {
    if (request_id === null) return
    const reader = units.within(db, caller)
    const view = await viewOf(reader, await reader.own(requests).find(request_id))
    if (view.program_id !== null) return admitToPeriod(view, of)
    if (caller.actor.is !== 'link') throw partOf('request')
    for (const name of of.names) rejectLocked(itemOf(view, name))
    if (of.isFinal && of.names.length === 0) await rejectUnchanged(reader, view)
  }

const itemOf = ({ items }: RequestView, name: string) =>
  items.find(({ item_id }) => item_id === folderOf(name))

/** Items that were sent back need an answer: other files, a reason, or a comment. */
async function rejectUnchanged(reader: Reader, view: RequestView): Promise<void> {
  const { request_id, items, files, handed } = view
  const back = items.filter(({ status }) => status === 'needs_changes')
  const isAnswered = items.some(({ answered_round }) => (answered_round ?? 0) > (handed?.round ?? 0))
  if (back.length === 0 || isAnswered || hashOf(files.drafted) !== hashOf(files.handed)) return
  const [since = ''] = back.map(({ reviewed_at }) => reviewed_at ?? '').toSorted()
  const said = reader.rows(remarks, { request_id, side: 'supplier' }).where('created_at', '>=', since)
  if ((await said.first()) !== undefined) return
  const sentBack = back.map(({ title }) => JSON.stringify(title)).join(', ')
  throw new Refusal(
    'request_unchanged',
    `Nothing has changed since the requester sent back ${sentBack}. Change the files, or answer with a comment, then submit.`,
    { args: { items: sentBack } },
  )
}

function admitToPeriod(view: RequestView, { names, isFinal }: Pick<Admitted, 'names' | 'isFinal'>): void {
  if (isFinal)
    throw new Refusal(
      'submission_of_period',
      `This draft belongs to the period ${view.period} of a program. Send final=false, and seal the period when it is complete.`,
      { param: 'final' },
    )
  for (const name of names) {
    const wrong = problemOf(view, name)
    if (wrong !== undefined) throw new Refusal('evidence_invalid', wrong)
  }
}

function problemOf(view: RequestView, name: string): string | undefined {
  const item = itemOf(view, name)
  const [shown, folder] = [JSON.stringify(name), JSON.stringify(folderOf(name))]
  if (item !== undefined)
    return item.part === null
      ? undefined
      : `${folder} is supplied through the request ${item.part.request_id}.`
  if (name.includes('/')) return `This period has no item ${folder}.`
  const example = JSON.stringify(`${view.items[0]?.item_id ?? 'ITEM'}/${name}`)
  return `${shown} is in the folder of no item. Name it ITEM/FILE, such as ${example}.`
}

/** Who submits the draft, as stated by someone with the link. */
export async function nameSender({ db }: Unit, { request_id, newest }: RequestView, name: string | null) {
  if (newest?.status !== 'DRAFT') return
  const line = name === null ? undefined : asLine(name, 200)
  const fact: ReceivedFact | undefined =
    line === undefined ? undefined : { source: 'supplier', statement: 'stated', name: line }
  await db
    .updateTable('request_rounds')
    .set({ sender: fact === undefined ? null : JSON.stringify([fact]) })
    .where('request_id', '=', request_id)
    .where('round', '=', newest.round)
    .execute()
}

/** An item that the requester has decided on keeps its files. */
export async function removeFile(unit: Unit, request: RequestView, position: number): Promise<void> {
  rejectDecided(request)
  const { newest } = request
  const file = request.files.drafted.find((each) => each.position === position)
  if (newest === undefined || file === undefined)
    throw new Refusal('evidence_invalid', 'The draft has no file at this position.')
  rejectLocked(itemOf(request, file.name))
  await removeEvidence(unit.db, newest.submission_id, position, Date.parse(unit.at))
}
