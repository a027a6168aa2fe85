import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { RequestsTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { RequestChange } from './request-schemas.ts'
import { Refusal } from '../refusals.ts'
import { draftEnd } from '../submissions/create-submission.ts'
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
    ...(change.repeat === undefined ? {} : { repeat: change.repeat }),
  }
  const { due_at, repeat } = { ...view, ...values }
  if (repeat !== null && due_at === null)
    throw new Refusal('body_invalid', 'due_at is missing: a request repeats from its due date.', {
      param: 'due_at',
    })
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

/** Closes a request: the supplier can read it, and nothing else. Its draft expires like any other. */
export async function closeRequest(
  trx: Db,
  { clock }: Pick<Context, 'clock'>,
  view: RequestView,
  { workspaceId, actor }: Requester,
): Promise<void> {
  if (view.status === 'closed') return
  const { request_id, submission_id } = view
  const at = timestamp(clock.now())
  await trx
    .updateTable('requests')
    .set({ closed_at: at, updated_at: at })
    .where('request_id', '=', request_id)
    .execute()
  if (submission_id !== null)
    await trx
      .updateTable('jobs')
      .set({ expires_at: draftEnd(clock.now()) })
      .where('status', '=', 'DRAFT')
      .where('job_id', 'in', (eb) =>
        eb.selectFrom('submissions').select('job_id').where('submission_id', '=', submission_id),
      )
      .execute()
  await recordEvent(trx, { workspaceId, actor, action: 'request.closed', subject: request_id, at })
}
