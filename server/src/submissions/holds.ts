// docs/decisions/0370
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { lockJob } from '../kits/erase-kit.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { actorText } from './received-by.ts'
import type { SubmissionView } from './submission.ts'

/** Places a legal hold, or changes its reason. Rejected once the evidence is gone. */
export async function placeHold(
  trx: Kysely<Database>,
  clock: Clock,
  { submission_id, job_id }: SubmissionView,
  reason: string,
  { workspaceId, actor }: WorkspaceCaller,
): Promise<void> {
  const at = timestamp(clock.now())
  // Erasing locks the job too, so that one of the two comes first.
  const status = await lockJob(trx, job_id)
  if (status === 'EXPIRED')
    throw new Refusal('evidence_gone', 'The evidence of this submission was already deleted.')
  const hold = { reason, placed_at: at, placed_by: actorText(actor) }
  await trx
    .insertInto('holds')
    .values({ submission_id, ...hold })
    .onConflict((conflict) => conflict.column('submission_id').doUpdateSet(hold))
    .execute()
  const event = { workspaceId, actor, subject: submission_id, at } as const
  await recordEvent(trx, { ...event, action: 'submission.held', details: { reason } })
}

/** Releases a hold. Without one, nothing happens. */
export async function releaseHold(
  trx: Kysely<Database>,
  clock: Clock,
  { submission_id }: SubmissionView,
  { workspaceId, actor }: WorkspaceCaller,
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('holds')
    .where('submission_id', '=', submission_id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  const at = timestamp(clock.now())
  await recordEvent(trx, { workspaceId, actor, subject: submission_id, action: 'submission.released', at })
}
