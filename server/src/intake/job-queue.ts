import { type Kysely, sql } from 'kysely'
import type { Database, JobStatus } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'

/** The length of the job queue. It is counted periodically and estimated in between, so that creating a job needs no query. */
export interface Queue {
  added(): void
  /** Call before adding a job. */
  refuseWhenFull(): void
  count(): Promise<number>
  /** Like `count`, but NaN if the database does not answer within two seconds. */
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
      throw new Refusal('overloaded', 'The job queue is full. Try again shortly.', {
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
