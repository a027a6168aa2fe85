import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { RequestCopy } from './request-schemas.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { type CreateRequestContext, createRequest, dueOf, type Requester } from './create-request.ts'
import { recipientsOf } from './request.ts'
import { itemsOf, type RequestView } from './request-queries.ts'

/** Asks for the same items again, with nothing received. Due dates of items move with that of the request. */
export async function copyRequest(
  trx: Db,
  ctx: CreateRequestContext,
  view: RequestView,
  change: RequestCopy,
  requester: Requester,
): Promise<EvidenceRequestId> {
  const due_at = dueOf(change.due_at)
  const movedMs =
    view.due_at === null || due_at === null ? undefined : Date.parse(due_at) - Date.parse(view.due_at)
  const items = await itemsOf(trx, view.request_id)
  const asked = {
    title: change.title ?? view.title,
    message: view.message,
    due_at,
    series: view.series,
    profile: view.profile,
    recipients: change.recipients ?? recipientsOf(view),
    items: items.map(({ item_id, title, description, due_at: due }) => ({
      id: item_id,
      title,
      description,
      due_at: due === null || movedMs === undefined ? null : timestamp(Date.parse(due) + movedMs),
    })),
  }
  return createRequest(trx, ctx, asked, requester)
}
