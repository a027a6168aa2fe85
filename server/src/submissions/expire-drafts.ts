import { type Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database, SubmissionsTable } from '../database/schema.ts'
import { forgetCounts } from '../database/daily-counts.ts'
import { transact } from '../database/transact.ts'
import { deleteOldResponses } from '../http/idempotency.ts'
import { type NewEvent, recordEvents } from '../audit/audit-trail.ts'
import type { JobId } from '../runtime/identifiers.ts'

const BATCH = 1000

export interface Swept {
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
    .selectFrom('jobs')
    .select('job_id')
    .where('status', '=', 'DRAFT')
    .where('expires_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('holds')
            .innerJoin('submissions', 'submissions.submission_id', 'holds.submission_id')
            .select('holds.submission_id')
            .whereRef('submissions.job_id', '=', 'jobs.job_id'),
        ),
      ),
    )
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
  return transact(db, async (trx) => {
    const expired = await trx
      .updateTable('jobs')
      .set({ status: 'EXPIRED', updated_at: now })
      .where('job_id', 'in', due)
      .where('status', '=', 'DRAFT')
      .returning(['job_id', 'workspace_id'])
      .execute()
    const submissions = await submissionsOf(
      trx,
      expired.map(({ job_id }) => job_id),
    )
    const events = expired.flatMap(({ job_id, workspace_id: workspaceId }): NewEvent[] => {
      if (workspaceId === null) return []
      const event = { workspaceId, actor: { is: 'service' }, at: now } as const
      const submission = submissions.get(job_id)
      if (submission === undefined) return [{ ...event, action: 'job.expired', subject: job_id }]
      const details = { bytes: Number(submission.uploaded_bytes) }
      return [{ ...event, action: 'submission.expired', subject: submission.submission_id, details }]
    })
    await recordEvents(trx, events)
    return expired.length
  })
}

async function submissionsOf(
  trx: Kysely<Database>,
  jobs: readonly JobId[],
): Promise<ReadonlyMap<JobId, Pick<SubmissionsTable, 'submission_id' | 'uploaded_bytes'>>> {
  if (jobs.length === 0) return new Map()
  const rows = await trx
    .selectFrom('submissions')
    .select(['job_id', 'submission_id', 'uploaded_bytes'])
    .where('job_id', 'in', jobs)
    .execute()
  return new Map(rows.map((row) => [row.job_id, row]))
}
