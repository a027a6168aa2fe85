import { Type } from 'typebox'
import type { Event, Unit } from '../database/unit.ts'
import { body, sends } from '../http/resource.ts'
import { OneOf, SEVERAL_LINES_OF, Nullable } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { CallerActor } from '../runtime/actor.ts'
import { actorText } from '../submissions/provenance-report.ts'
import { type Author, colleague, commentOnItem } from './remarks.ts'
import {
  findItem,
  hashOf,
  type ItemRow,
  type ItemStatus,
  type ItemView,
  type Mailing,
  requests,
  type RequestRow,
  type RequestView,
  viewOf,
} from './request.ts'
import { mailReview, mailSentBack } from './request-mail.ts'

const REVIEWS = ['accepted', 'needs_changes', 'not_applicable', 'to_review'] as const
type Review = (typeof REVIEWS)[number]

export const REVIEW = (status: string, reason: string) => ({
  status: Type.Optional(OneOf(REVIEWS, status)),
  reason: Type.Optional(Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1, description: reason })),
  comment: Type.Optional(Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 })),
})

export const ItemReview = body(
  'ItemReview',
  REVIEW(
    '`accepted` needs a submitted file. `needs_changes` reopens this item for the supplier. `to_review` takes the review back, until it is sealed in the kit of a later round.',
    'Why the item is not applicable. Not needed if the supplier gave a reason.',
  ),
)

/** Reviews an item as the workspace, or takes the review back, and adds a comment. The request, or the program of the period, is locked. */
export async function reviewItem(
  unit: Unit,
  ctx: Mailing,
  view: RequestView,
  itemId: string,
  { status, reason, comment }: NonNullable<(typeof ItemReview)['sends']>,
  actor: CallerActor,
): Promise<void> {
  rejectOver(view)
  const item = findItem(view, itemId)
  if (comment !== undefined) await addComment(unit, view, itemId, comment, await colleague(unit, actor))
  if (status === undefined) return
  rejectReview(view, item, status, reason)
  await saveReviews(unit, ctx, view, [item], { status, reason }, actor)
}

/** Accepts the items that have files to review. The others stay as they are. */
export async function acceptAll(unit: Unit, ctx: Mailing, view: RequestView, actor: CallerActor) {
  rejectOver(view)
  const ready = view.items.filter(({ status, files }) => status === 'to_review' && files.length > 0)
  if (ready.length > 0) await saveReviews(unit, ctx, view, ready, { status: 'accepted' }, actor)
}

function rejectReview(view: RequestView, item: ItemView, status: Review, reason: string | undefined): void {
  const isPeriod = view.program_id !== null
  const needsFiles = status === 'accepted' || (isPeriod && status === 'to_review')
  if (needsFiles && item.files.length === 0)
    throw isPeriod
      ? new Refusal(
          'period_item_without_files',
          'This item has no files. Add one, or mark it as not applicable with a reason.',
        )
      : new Refusal(
          'request_item_without_files',
          'No files were submitted for this item. Send it back, or mark it as not applicable with a reason.',
        )
  if (!isPeriod && status === 'to_review' && !canUndo(view, item)) throw sealed(item)
  if (status === 'not_applicable' && reason === undefined && item.not_applicable === null)
    throw new Refusal('body_invalid', 'reason is missing: say why the item is not applicable.', {
      param: 'reason',
    })
}

/** Whether a review is in effect and not in a kit yet, so that it can be taken back. */
export const canUndo = ({ handed }: RequestView, { review, review_round, status }: ItemView): boolean =>
  review !== null && status === review && (review_round ?? 0) >= (handed?.round ?? 0)

const sealed = ({ review, status }: ItemView): Refusal =>
  new Refusal(
    'request_review_sealed',
    review === null || review !== status
      ? 'There is no review to take back.'
      : 'This review is sealed in the kit of a later round. Review the item again instead.',
  )

/** Records what was said of some items, and tells their supplier or owner. A colleague asks for a review, and a supplier submits. */
async function saveReviews(
  unit: Unit,
  ctx: Mailing,
  view: RequestView,
  items: readonly ItemView[],
  { status, reason }: { readonly status: Review; readonly reason?: string | undefined },
  actor: CallerActor,
): Promise<void> {
  const isPeriod = view.program_id !== null
  const isTaken = !isPeriod && status === 'to_review'
  for (const item of items) {
    await updateItem(unit, item, {
      review: isTaken ? null : status,
      review_round: isTaken || isPeriod ? null : (view.handed?.round ?? 0),
      reviewed_files: isTaken ? null : hashOf(item.files),
      reviewed_by: isTaken ? null : actorText(actor),
      reviewed_at: isTaken ? null : unit.at,
      reason: status === 'not_applicable' ? (reason?.trim() ?? null) : null,
    })
    await recordReview(unit, view, status, item.item_id)
    if (isPeriod && status === 'needs_changes') await mailSentBack(unit, ctx, view, item)
  }
  const reviewed = await viewOf(unit, view)
  await unit.update(requests, view.request_id, { settled: reviewed.status === 'accepted' })
  if (!isPeriod) await mailReview(unit, ctx, reviewed, status === 'needs_changes')
}

export const updateItem = (
  { db }: Unit,
  { request_id, item_id }: Pick<ItemRow, 'request_id' | 'item_id'>,
  values: Partial<Omit<ItemRow, 'request_id' | 'item_id'>>,
): Promise<unknown> =>
  db
    .updateTable('request_items')
    .set(values)
    .where('request_id', '=', request_id)
    .where('item_id', '=', item_id)
    .execute()

const ACTIONS = {
  accepted: 'request.item_accepted',
  needs_changes: 'request.item_reopened',
  not_applicable: 'request.item_not_applicable',
  to_review: 'request.item_undone',
} as const

const recordReview = (unit: Unit, view: RequestView, status: Review, item: string): Promise<number> =>
  view.program_id === null
    ? record(unit, view, ACTIONS[status], { item })
    : record(unit, view, 'program.item_reviewed', { item, status })

/** An event of a request, or of a program that is about one of its periods. */
export const record = (
  unit: Unit,
  { request_id, program_id, period }: RequestRow,
  action: Event['action'],
  details: Readonly<Record<string, string | number>>,
): Promise<number> =>
  program_id === null
    ? unit.record(action, request_id, details)
    : unit.record(action, program_id, { period, ...details })

/** Comments on an item of a request or a period. */
export async function addComment(
  unit: Unit,
  view: RequestView,
  itemId: string,
  text: string,
  author: Author,
): Promise<void> {
  findItem(view, itemId)
  const { comment_id, sha256 } = await commentOnItem(unit, view, itemId, text, author)
  await unit.update(requests, view.request_id, {})
  const action = view.program_id === null ? 'request.commented' : 'program.commented'
  await record(unit, view, action, { item: itemId, comment_id, sha256: sha256 ?? '' })
}

export const SupplierAnswer = sends({
  not_applicable: Nullable(Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 })),
})

/** Says as the supplier why an item does not apply, or takes it back. The request is locked. */
export async function answerItem(
  unit: Unit,
  view: RequestView,
  itemId: string,
  { not_applicable }: { readonly not_applicable: string | null },
): Promise<void> {
  rejectDecided(view)
  const item = findItem(view, itemId)
  rejectLocked(item)
  if (not_applicable !== null && item.drafted.length > 0)
    throw new Refusal('evidence_invalid', 'This item has files. Remove them first.')
  await updateItem(unit, item, {
    not_applicable: not_applicable?.trim() ?? null,
    answered_round: not_applicable === null ? null : (view.handed?.round ?? 0) + 1,
  })
  await unit.update(requests, view.request_id, {})
  await recordReview(unit, view, not_applicable === null ? 'to_review' : 'not_applicable', itemId)
}

/** For changes by the workspace. */
export function rejectOver({ status }: RequestView): void {
  if (status === 'closed')
    throw new Refusal('request_not_open', 'This request is closed.', { args: { why: status } })
  if (status === 'sealing') throw new Refusal('period_sealed', 'This period is being sealed.')
  if (status === 'sealed') throw new Refusal('period_sealed', 'This period is sealed.')
}

/** For changes by the supplier. */
export function rejectDecided({ status }: Pick<RequestView, 'status'>): void {
  if (status === 'accepted' || status === 'closed')
    throw new Refusal('request_not_open', `This request is ${status}. Nothing can be changed any more.`, {
      args: { why: status },
    })
}

const LOCKED: ReadonlySet<ItemStatus> = new Set(['accepted', 'not_applicable'] as const)

/** What the requester has decided stays as it is, unless the requester sends it back. */
export function rejectLocked(item: ItemView | undefined): void {
  if (item !== undefined && LOCKED.has(item.status))
    throw new Refusal(
      'request_item_locked',
      `The requester has decided on ${JSON.stringify(item.title)}. It can be changed when they send it back.`,
      { args: { item: item.title } },
    )
}
