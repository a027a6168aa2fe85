import type { Unit } from '../database/unit.ts'
import { draftEnd } from '../submissions/create-submission.ts'
import { requests, type RequestView } from './request.ts'

/** Closes a request: the supplier can read it, and nothing else. Its draft expires like any other. */
export async function closeRequest(unit: Unit, { request_id, status, newest }: RequestView): Promise<void> {
  if (status === 'closed') return
  await unit.update(requests, request_id, { closed_at: unit.at })
  if (newest?.status === 'DRAFT')
    await unit.db
      .updateTable('submissions')
      .set({ expires_at: draftEnd(Date.parse(unit.at)) })
      .where('status', '=', 'DRAFT')
      .where('submission_id', '=', newest.submission_id)
      .execute()
  await unit.record('request.closed', request_id)
}
