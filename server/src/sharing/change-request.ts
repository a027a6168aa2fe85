import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { RequestsTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { RequestChange } from './request-schemas.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { addresses, dueOf, type Requester } from './create-request.ts'
import type { RequestView } from './request-queries.ts'

/** Changes what was asked, as far as it does not concern the items. The request is locked. */
export async function changeRequest(
  trx: Db,
  { clock }: Pick<Context, 'clock'>,
  view: RequestView,
  change: RequestChange,
  { workspaceId, actor }: Requester,
): Promise<void> {
  if (view.status === 'closed') throw new Refusal('request_not_open', 'This request is closed.')
  const at = timestamp(clock.now())
  const values: Partial<RequestsTable> = {
    ...(change.title === undefined ? {} : { title: change.title.trim() }),
    ...(change.message === undefined ? {} : { message: change.message?.trim() || null }),
    ...(change.recipients === undefined ? {} : { recipients: JSON.stringify(addresses(change.recipients)) }),
    ...(change.due_at === undefined ? {} : { due_at: dueOf(change.due_at) }),
  }
  await trx
    .updateTable('requests')
    .set({ ...values, updated_at: at })
    .where('request_id', '=', view.request_id)
    .execute()
  const details = { changed: Object.keys(values).toSorted().join(' ') }
  await recordEvent(trx, {
    workspaceId,
    actor,
    action: 'request.changed',
    subject: view.request_id,
    details,
    at,
  })
}
