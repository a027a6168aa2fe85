import { type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database, JobStatus } from '../database/schema.ts'

/** How long an answer is remembered for its `Idempotency-Key`. */
export const REMEMBER_ANSWERS_MS = 24 * 60 * 60 * 1000

const BATCH = 1000
const DRAFT = sql.lit<JobStatus>('DRAFT')

export interface Swept {
  readonly draftsExpired: number
  readonly answersForgotten: number
}

/** Ends what time has ended, in batches, so that no request waits long for the store. */
export async function sweep(db: Kysely<Database>, clock: Clock): Promise<Swept> {
  const now = clock.now()
  return {
    draftsExpired: await inBatches(() => expireDrafts(db, timestamp(now))),
    answersForgotten: await inBatches(() => forgetAnswers(db, timestamp(now - REMEMBER_ANSWERS_MS))),
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
    .where('status', '=', DRAFT)
    .where('expires_at', '<=', now)
    .limit(BATCH)
  const result = await db
    .updateTable('jobs')
    .set({ status: 'EXPIRED', updated_at: now })
    .where('job_id', 'in', due)
    .where('status', '=', DRAFT)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

async function forgetAnswers(db: Kysely<Database>, before: string): Promise<number> {
  const old = db
    .selectFrom('idempotency')
    .select(['scope', 'key'])
    .where('created_at', '<=', before)
    .limit(BATCH)
  const result = await db
    .deleteFrom('idempotency')
    .where((eb) => eb(eb.refTuple('scope', 'key'), 'in', old.$asTuple('scope', 'key')))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
