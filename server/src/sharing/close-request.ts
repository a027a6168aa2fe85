import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import { draftEnd } from '../submissions/create-submission.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Requester } from './create-request.ts'
import type { RequestView } from './request-queries.ts'

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
      .updateTable('submissions')
      .set({ expires_at: draftEnd(clock.now()) })
      .where('status', '=', 'DRAFT')
      .where('submission_id', '=', submission_id)
      .execute()
  await recordEvent(trx, { workspaceId, actor, action: 'request.closed', subject: request_id, at })
}
