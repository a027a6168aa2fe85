import { type Kysely, sql } from 'kysely'
import type { Database, JobStatus } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'

/** How many jobs wait: counted now and then, and estimated in between, so that creating a job costs no count. */
export interface Queue {
  added(): void
  /** To be asked before a job is added. */
  refuseWhenFull(): void
  count(): Promise<number>
  /** The same for whoever has no patience: not a number where the store does not answer soon. */
  countSoon(): Promise<number>
}

export function watchQueue(db: Kysely<Database>, most: number, wake: () => void): Queue {
  let estimate = 0
  const queue: Queue = {
    added: () => {
      estimate += 1
      wake()
    },
    refuseWhenFull: () => {
      if (estimate < most) return
      throw new Refusal('overloaded', 'Too many jobs are waiting. Try again shortly.', {
        headers: { 'retry-after': '5' },
      })
    },
    count: async () => {
      const { waiting } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number | string>().as('waiting'))
        .where('status', '=', sql.lit<JobStatus>('SUBMITTED'))
        .executeTakeFirstOrThrow()
      estimate = Number(waiting)
      return estimate
    },
    countSoon: async () => {
      const { promise: late, resolve } = Promise.withResolvers<number>()
      const timer = setTimeout(() => resolve(Number.NaN), SOON_MS)
      const waiting = await Promise.race([queue.count().catch(() => Number.NaN), late])
      clearTimeout(timer)
      return waiting
    },
  }
  return queue
}

const SOON_MS = 2000
