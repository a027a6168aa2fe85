import { type Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import { forgetCounts } from '../database/daily-counts.ts'
import { transact } from '../database/transact.ts'
import { deleteOldResponses } from '../http/idempotency.ts'
import { type NewEvent, recordEvents } from '../audit/audit-trail.ts'

const BATCH = 1000

interface Swept {
  readonly draftsExpired: number
  readonly answersForgotten: number
}

/** Works in small batches, so that requests do not wait long for the database. */
export async function sweep(db: Kysely<Database>, clock: Clock): Promise<Swept> {
  const now = clock.now()
  await forgetCounts(db, clock)
  return {
    draftsExpired: await inBatches(() => expireDrafts(db, timestamp(now))),
    answersForgotten: await inBatches(() => deleteOldResponses(db, clock, BATCH)),
  }
}

async function inBatches(batch: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await batch()
    total += count
    if (count < BATCH) return total
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function expireDrafts(db: Kysely<Database>, now: string): Promise<number> {
  const due = db
    .selectFrom('submissions')
    .select('job_id')
    .where('status', '=', 'DRAFT')
    .where('expires_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('holds')
            .select('holds.submission_id')
            .whereRef('holds.submission_id', '=', 'submissions.submission_id'),
        ),
      ),
    )
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
  return transact(db, async (trx) => {
    const expired = await trx
      .updateTable('submissions')
      .set({ status: 'EXPIRED', job_updated_at: now })
      .where('job_id', 'in', due)
      .where('status', '=', 'DRAFT')
      .returning(['job_id', 'submission_id', 'workspace_id', 'sequence', 'uploaded_bytes'])
      .execute()
    const events = expired.flatMap(({ workspace_id: workspaceId, ...draft }): NewEvent[] => {
      if (workspaceId === null) return []
      const event = { workspaceId, actor: { is: 'service' }, at: now } as const
      if (draft.sequence === null) return [{ ...event, action: 'job.expired', subject: draft.job_id }]
      const details = { bytes: Number(draft.uploaded_bytes) }
      return [{ ...event, action: 'submission.expired', subject: draft.submission_id, details }]
    })
    await recordEvents(trx, events)
    return expired.length
  })
}
