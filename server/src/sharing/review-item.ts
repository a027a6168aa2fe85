import { timestamp } from '../runtime/clock.ts'
import type { RequestCommentsTable, RequestItemsTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { ItemReview, SupplierAnswer } from './request-schemas.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from '../submissions/received-by.ts'
import { type NewEvent, recordEvent, recordEvents } from '../audit/audit-trail.ts'
import { mailReview, type RequestMailContext } from './request-mail.ts'
import { canUndo, itemOfFile } from './request.ts'
import { type ItemRow, itemsOf, readParts, readRequest, type RequestView } from './request-queries.ts'
import { rejectDecided, rejectLocked } from './start-draft.ts'

export type ReviewContext = RequestMailContext

const ACTIONS = {
  accepted: 'request.item_accepted',
  needs_changes: 'request.item_reopened',
  not_applicable: 'request.item_not_applicable',
  to_review: 'request.item_undone',
} as const

/** Reviews an item as the requester, or takes the review back, and adds a comment. The request is locked. */
export async function reviewItem(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  itemId: string,
  { status, reason, comment }: ItemReview,
  actor: CallerActor,
): Promise<void> {
  if (view.status === 'closed') throw closed()
  const item = await findItem(trx, view, itemId)
  if (comment !== undefined) await addComment(trx, ctx, view, { itemId, author: 'requester', comment }, actor)
  if (status === undefined) return
  if (status === 'accepted' && item.has_files === 0) throw withoutFiles()
  if (status === 'to_review' && !canUndo(item)) throw sealed(item)
  if (status === 'not_applicable' && reason === undefined && item.not_applicable === null)
    throw new Refusal('body_invalid', 'reason is missing: say why the item is not applicable.', {
      param: 'reason',
    })
  const review = status === 'to_review' ? null : status
  const saved = { review, reason: status === 'not_applicable' ? (reason?.trim() ?? null) : null }
  await saveReviews(trx, ctx, view, saved, [itemId])
  await recordItems(trx, ctx, view, ACTIONS[status], [itemId], actor)
  if (review !== null) await mailReview(trx, ctx, view.request_id, review)
}

/** Accepts the items that have files to review. The others stay as they are. */
export async function acceptAll(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  actor: CallerActor,
): Promise<void> {
  if (view.status === 'closed') throw closed()
  const items = await itemsOf(trx, view.request_id)
  const ready = items.filter(({ status, has_files }) => status === 'to_review' && has_files === 1)
  if (ready.length === 0) return
  const ids = ready.map(({ item_id }) => item_id)
  await saveReviews(trx, ctx, view, { review: 'accepted', reason: null }, ids)
  await recordItems(trx, ctx, view, ACTIONS.accepted, ids, actor)
  await mailReview(trx, ctx, view.request_id, 'accepted')
}

/** Says as the supplier why an item does not apply, or takes it back. The request is locked. */
export async function answerItem(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  itemId: string,
  { not_applicable }: SupplierAnswer,
  actor: CallerActor,
): Promise<void> {
  rejectDecided(view)
  const item = await findItem(trx, view, itemId)
  rejectLocked(item)
  const { files } = await readParts(trx, view)
  if (not_applicable !== null && files.some(({ name }) => itemOfFile([item], name) !== undefined))
    throw new Refusal('evidence_invalid', 'This item has files. Remove them first.')
  const answered_round = not_applicable === null ? null : item.handed_round + 1
  await trx
    .updateTable('request_items')
    .set({ not_applicable: not_applicable?.trim() ?? null, answered_round })
    .where('request_id', '=', view.request_id)
    .where('item_id', '=', itemId)
    .execute()
  await touch(trx, ctx, view.request_id)
  const action = not_applicable === null ? ACTIONS.to_review : ACTIONS.not_applicable
  await recordItems(trx, ctx, view, action, [itemId], actor)
}

async function findItem(trx: Db, { request_id }: RequestView, itemId: string): Promise<ItemRow> {
  const item = (await itemsOf(trx, request_id)).find(({ item_id }) => item_id === itemId)
  if (item === undefined) throw new Refusal('request_item_not_found', 'The request has no item with this ID.')
  return item
}

async function saveReviews(
  trx: Db,
  ctx: ReviewContext,
  { request_id, handed_round }: RequestView,
  saved: Pick<RequestItemsTable, 'review' | 'reason'>,
  items: readonly string[],
): Promise<void> {
  await trx
    .updateTable('request_items')
    .set({ ...saved, review_round: saved.review === null ? null : (handed_round ?? 0) })
    .where('request_id', '=', request_id)
    .where('item_id', 'in', items)
    .execute()
  const settled = (await readRequest(trx, request_id))?.status === 'accepted' ? 1 : 0
  await trx.updateTable('requests').set({ settled }).where('request_id', '=', request_id).execute()
  await touch(trx, ctx, request_id)
}

const recordItems = (
  trx: Db,
  { clock }: ReviewContext,
  { workspace_id: workspaceId, request_id: subject }: RequestView,
  action: (typeof ACTIONS)[keyof typeof ACTIONS],
  items: readonly string[],
  actor: CallerActor,
): Promise<unknown> => {
  const event = { workspaceId, actor, subject, action, at: timestamp(clock.now()) } as const
  return recordEvents(
    trx,
    items.map((item): NewEvent => ({ ...event, details: { item } })),
  )
}

export interface NewComment {
  readonly itemId: string
  readonly author: RequestCommentsTable['author']
  readonly comment: string
}

/** The request is locked, so the numbers have no gaps. */
export async function addComment(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  { itemId, author, comment }: NewComment,
  actor: CallerActor,
): Promise<void> {
  const { request_id, workspace_id: workspaceId } = view
  await findItem(trx, view, itemId)
  const { last, of_supplier } = await trx
    .selectFrom('request_comments')
    .select(({ fn, eb }) => [
      fn.max('number').as('last'),
      fn
        .sum(
          eb
            .case()
            .when('author', '=', 'supplier')
            .then(fn('length', ['text']))
            .else(0)
            .end(),
        )
        .as('of_supplier'),
    ])
    .where('request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  const number = Number(last ?? 0) + 1
  if (number > MAX_COMMENTS)
    throw new Refusal('request_not_open', `A request can have at most ${MAX_COMMENTS} comments.`)
  const isFull = number > MAX_COMMENTS / 2 || Number(of_supplier ?? 0) + comment.length > SUPPLIER_CHARACTERS
  if (author === 'supplier' && isFull)
    throw new Refusal('request_not_open', 'This request has too many comments to add one with its link.')
  const at = timestamp(ctx.clock.now())
  await trx
    .insertInto('request_comments')
    .values({
      request_id,
      number,
      item_id: itemId,
      author,
      written_by: actorText(actor),
      text: comment.trim(),
      at,
    })
    .execute()
  await touch(trx, ctx, request_id)
  const details = { item: itemId }
  await recordEvent(trx, {
    workspaceId,
    actor,
    action: 'request.commented',
    subject: request_id,
    details,
    at,
  })
}

/** The second half is for the requester. */
const MAX_COMMENTS = 2000
/** All of them are in every answer about the request. */
const SUPPLIER_CHARACTERS = 256 * 1024

async function touch(trx: Db, { clock }: ReviewContext, id: RequestView['request_id']): Promise<void> {
  const updated_at = timestamp(clock.now())
  await trx.updateTable('requests').set({ updated_at }).where('request_id', '=', id).execute()
}

const withoutFiles = (): Refusal =>
  new Refusal(
    'request_item_without_files',
    'No files were submitted for this item. Send it back, or mark it as not applicable with a reason.',
  )

const sealed = ({ review, status }: ItemRow): Refusal =>
  new Refusal(
    'request_review_sealed',
    review === null || review !== status
      ? 'There is no review to take back.'
      : 'This review is sealed in the kit of a later round. Review the item again instead.',
  )

const closed = (): Refusal => new Refusal('request_not_open', 'This request is closed.')
