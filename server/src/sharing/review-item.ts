import { timestamp } from '../runtime/clock.ts'
import type { RequestCommentsTable, Review } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { CallerActor } from '../http/caller.ts'
import type { ItemReview } from './request-schemas.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from '../submissions/received-by.ts'
import { type NewEvent, recordEvent, recordEvents } from '../audit/audit-trail.ts'
import { mailReview, type RequestMailContext } from './request-mail.ts'
import { itemsOf, type RequestView } from './request-queries.ts'

export type ReviewContext = RequestMailContext

/** Accepts an item, or reopens it, and adds a comment, as the requester. The request is locked. */
export async function reviewItem(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  itemId: string,
  { status, comment }: ItemReview,
  actor: CallerActor,
): Promise<void> {
  if (view.status === 'closed') throw closed()
  const item = (await itemsOf(trx, view.request_id)).find(({ item_id }) => item_id === itemId)
  if (item === undefined) throw itemNotFound()
  if (comment !== undefined) await addComment(trx, ctx, view, { itemId, author: 'requester', comment }, actor)
  if (status === undefined) return
  await saveReview(trx, ctx, view, status, [itemId])
  const { workspace_id: workspaceId, request_id: subject } = view
  const action = status === 'accepted' ? 'request.item_accepted' : 'request.item_reopened'
  const at = timestamp(ctx.clock.now())
  await recordEvent(trx, { workspaceId, actor, action, subject, details: { item: itemId }, at })
  await mailReview(trx, ctx, subject, status)
}

/** Accepts every item that is not accepted yet. */
export async function acceptAll(
  trx: Db,
  ctx: ReviewContext,
  view: RequestView,
  actor: CallerActor,
): Promise<void> {
  if (view.status === 'closed') throw closed()
  const items = await itemsOf(trx, view.request_id)
  const left = items.filter(({ review }) => review !== 'accepted').map(({ item_id }) => item_id)
  if (left.length === 0) return
  await saveReview(trx, ctx, view, 'accepted', left)
  const { workspace_id: workspaceId, request_id: subject } = view
  const event = { workspaceId, actor, subject, at: timestamp(ctx.clock.now()) } as const
  await recordEvents(
    trx,
    left.map((item): NewEvent => Object.assign({ action: ACCEPTED, details: { item } }, event)),
  )
  await mailReview(trx, ctx, subject, 'accepted')
}

async function saveReview(
  trx: Db,
  ctx: ReviewContext,
  { request_id, round }: RequestView,
  review: Review,
  items: readonly string[],
): Promise<void> {
  await trx
    .updateTable('request_items')
    .set({ review, review_round: round })
    .where('request_id', '=', request_id)
    .where('item_id', 'in', items)
    .execute()
  await touch(trx, ctx, request_id)
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
  { request_id, workspace_id: workspaceId }: RequestView,
  { itemId, author, comment }: NewComment,
  actor: CallerActor,
): Promise<void> {
  const items = await itemsOf(trx, request_id)
  if (!items.some(({ item_id }) => item_id === itemId)) throw itemNotFound()
  const { last } = await trx
    .selectFrom('request_comments')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  const number = Number(last ?? 0) + 1
  if (number > MAX_COMMENTS)
    throw new Refusal('request_not_open', `A request can have at most ${MAX_COMMENTS} comments.`)
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

const MAX_COMMENTS = 2000
const ACCEPTED = 'request.item_accepted' as const

async function touch(trx: Db, { clock }: ReviewContext, id: RequestView['request_id']): Promise<void> {
  const updated_at = timestamp(clock.now())
  await trx.updateTable('requests').set({ updated_at }).where('request_id', '=', id).execute()
}

const itemNotFound = (): Refusal =>
  new Refusal('request_item_not_found', 'The request has no item with this ID.')

const closed = (): Refusal => new Refusal('request_not_open', 'This request is closed.')
