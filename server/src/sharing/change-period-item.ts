import { timestamp } from '../runtime/clock.ts'
import type { PeriodItemsTable, ProgramsTable } from '../database/program-schema.ts'
import type { Db } from '../database/schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { AuditAction } from '../audit/event-types.ts'
import { actorText } from '../submissions/received-by.ts'
import { removeEvidence } from '../submissions/remove-evidence.ts'
import { membersOf, ownerIn } from './create-program.ts'
import { dueOf } from './create-request.ts'
import { fillPeriod, folderOf, hashOfFiles, type PeriodItemView } from './period-items.ts'
import { mailSentBack } from './program-mail.ts'
import { type PeriodView, rejectSealed } from './program-queries.ts'
import type { PeriodItemChange } from './program-schemas.ts'
import type { RequestMailContext } from './request-mail.ts'
import { lockRequest } from './request-queries.ts'
import { reviewItem } from './review-item.ts'

/** An item of a period that is open, of a program that is locked. */
interface ItemOf {
  readonly program: ProgramsTable
  readonly view: PeriodView
  readonly item: PeriodItemView
  readonly actor: CallerActor
}

/** Reviews an item of a period, comments on it, or changes its owner or due date. The program is locked. */
export async function changePeriodItem(
  trx: Db,
  ctx: RequestMailContext,
  { program, view, itemId }: { program: ProgramsTable; view: PeriodView; itemId: string },
  change: PeriodItemChange,
  actor: CallerActor,
): Promise<void> {
  rejectSealed(view)
  const { items } = await fillPeriod(trx, view, timestamp(ctx.clock.now()))
  const item = items.find(({ item_id }) => item_id === itemId)
  if (item === undefined)
    throw new Refusal('period_item_not_found', 'The period has no item with this ID.', { param: 'item_id' })
  const of = { program, view, item, actor }
  const { status, comment, reason } = change
  if (item.request_id === null) {
    if (comment !== undefined) await addComment(trx, ctx, of, comment)
    if (status !== undefined) await review(trx, ctx, of, status, reason)
  } else if (status !== undefined || comment !== undefined) {
    const said = { ...(status && { status }), ...(reason && { reason }), ...(comment && { comment }) }
    await reviewItem(trx, ctx, await lockRequest(trx, item.request_id), itemId, said, actor)
  }
  await changeTerms(trx, ctx, of, change)
}

async function review(
  trx: Db,
  ctx: RequestMailContext,
  of: ItemOf,
  status: NonNullable<PeriodItemChange['status']>,
  reason: string | undefined,
): Promise<void> {
  const { item, actor } = of
  if ((status === 'accepted' || status === 'to_review') && item.files.length === 0)
    throw new Refusal(
      'period_item_without_files',
      'This item has no files. Add one, or mark it as not applicable with a reason.',
    )
  if (status === 'not_applicable' && reason === undefined)
    throw new Refusal('body_invalid', 'reason is missing: say why the item is not applicable.', {
      param: 'reason',
    })
  await update(trx, of, {
    review: status,
    reviewed_files: hashOfFiles(item.files),
    reviewed_by: actorText(actor),
    reviewed_at: timestamp(ctx.clock.now()),
    reason: status === 'not_applicable' ? (reason?.trim() ?? null) : null,
  })
  await record(trx, ctx, of, 'program.item_reviewed', { status })
  if (status === 'needs_changes') await mailSentBack(trx, ctx, of.program, item)
}

/** The owner and the due date. What a supplier sees of the due date changes too. */
async function changeTerms(
  trx: Db,
  ctx: RequestMailContext,
  of: ItemOf,
  { owner, due_at }: PeriodItemChange,
): Promise<void> {
  if (owner === undefined && due_at === undefined) return
  const { program, item } = of
  if (owner !== undefined && item.request_id !== null)
    throw new Refusal('body_invalid', 'owner is for internal items. The recipients supply this one.', {
      param: 'owner',
    })
  const members = await membersOf(trx, program.workspace_id, [owner ?? null])
  const due = dueOf(due_at)
  await update(trx, of, {
    ...(owner === undefined ? {} : { owner_id: owner === null ? null : ownerIn(members, owner, 'owner') }),
    ...(due === null ? {} : { due_at: due }),
  })
  if (due !== null && item.request_id !== null)
    await trx
      .updateTable('request_items')
      .set({ due_at: due })
      .where('request_id', '=', item.request_id)
      .where('item_id', '=', item.item_id)
      .execute()
  const changed = [owner === undefined ? [] : 'owner', due === null ? [] : 'due_at'].flat().join(' ')
  await record(trx, ctx, of, 'program.item_changed', { changed })
}

const update = (trx: Db, { view, item }: ItemOf, values: Partial<PeriodItemsTable>): Promise<unknown> =>
  trx
    .updateTable('period_items')
    .set(values)
    .where('program_id', '=', view.program_id)
    .where('period', '=', view.period)
    .where('item_id', '=', item.item_id)
    .execute()

const MAX_COMMENTS = 2000

/** The program is locked, so the numbers have no gaps. */
async function addComment(trx: Db, ctx: RequestMailContext, of: ItemOf, comment: string): Promise<void> {
  const { program_id, period } = of.view
  const { last } = await trx
    .selectFrom('period_comments')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .executeTakeFirstOrThrow()
  const number = Number(last ?? 0) + 1
  if (number > MAX_COMMENTS)
    throw new Refusal('comment_limit', `A period can have at most ${MAX_COMMENTS} comments.`)
  await trx
    .insertInto('period_comments')
    .values({
      program_id,
      period,
      number,
      item_id: of.item.item_id,
      written_by: actorText(of.actor),
      text: comment.trim(),
      at: timestamp(ctx.clock.now()),
    })
    .execute()
  await record(trx, ctx, of, 'program.commented')
}

const record = (
  trx: Db,
  { clock }: RequestMailContext,
  { program, view, item, actor }: ItemOf,
  action: AuditAction,
  details: Readonly<Record<string, string>> = {},
): Promise<unknown> =>
  recordEvent(trx, {
    workspaceId: program.workspace_id,
    actor,
    subject: program.program_id,
    action,
    details: { period: view.period, item: item.item_id, ...details },
    at: timestamp(clock.now()),
  })

/** Of the column. */
const MAX_POSITION = 2 ** 31

/** Removes a file from the draft of a period. The program is locked. */
export async function removePeriodFile(
  trx: Db,
  ctx: RequestMailContext,
  { program, view }: { program: ProgramsTable; view: PeriodView },
  position: number,
  actor: CallerActor,
): Promise<void> {
  rejectSealed(view)
  const isPosition = Number.isInteger(position) && position >= 0 && position < MAX_POSITION
  const file = !isPosition
    ? undefined
    : await trx
        .selectFrom('evidence')
        .select('name')
        .where('submission_id', '=', view.submission_id)
        .where('position', '=', position)
        .executeTakeFirst()
  if (file === undefined)
    throw new Refusal('period_file_not_found', 'The period has no file at this position.')
  await removeEvidence(trx, view.submission_id, position, ctx.clock.now())
  await recordEvent(trx, {
    workspaceId: program.workspace_id,
    actor,
    subject: program.program_id,
    action: 'program.file_removed',
    details: { period: view.period, item: folderOf(file.name) },
    at: timestamp(ctx.clock.now()),
  })
}
