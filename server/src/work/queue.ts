import { type Kysely, sql } from 'kysely'
import type { Database, JobStatus } from '../database/schema.ts'

/** How many jobs wait: counted now and then, and estimated in between, so that creating a job costs no count. */
export interface Queue {
  added(): void
  isFull(): boolean
  count(): Promise<number>
}

export function watchQueue(db: Kysely<Database>, most: number, wake: () => void): Queue {
  let estimate = 0
  return {
    added: () => {
      estimate += 1
      wake()
    },
    isFull: () => estimate >= most,
    count: async () => {
      const { waiting } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number | string>().as('waiting'))
        .where('status', '=', sql.lit<JobStatus>('SUBMITTED'))
        .executeTakeFirstOrThrow()
      estimate = Number(waiting)
      return estimate
    },
  }
}
