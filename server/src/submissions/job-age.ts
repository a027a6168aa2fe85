import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../runtime/clock.ts'
import type { Db, JobStatus } from '../database/schema.ts'

/** A longer queue is refused long before, and has an alert of its own. */
const MAX_ROWS = 10_000
const UNFINISHED: readonly JobStatus[] = ['SUBMITTED', 'PASS']

/** Every node reports the same value, from the shared database; the last one while it is unavailable. */
export function registerJobAge(registry: Registry, db: Db, clock: Clock): void {
  const gauge: Gauge = new Gauge({
    name: 'kitseal_jobs_oldest_seconds',
    help: 'How long the oldest unfinished job waits to pass, or to be issued; 0 if there is none.',
    registers: [registry],
    collect: async (): Promise<void> => {
      const since = await oldestUnfinished(db).catch(() => 'unknown' as const)
      if (since === 'unknown') return
      gauge.set(since === undefined ? 0 : Math.max(0, clock.now() - Date.parse(since)) / 1000)
    },
  })
}

/** When the job that has been unfinished for longest was submitted, or passed. */
export async function oldestUnfinished(db: Db): Promise<string | undefined> {
  const times = await Promise.all(
    UNFINISHED.map(async (status) => {
      // A literal, because with a parameter the database would not use the partial index.
      const jobs = db.selectFrom('submissions').select('job_updated_at').where('status', '=', status)
      const { oldest } = await db
        .selectFrom(jobs.limit(MAX_ROWS).as('unfinished'))
        .select((eb) => eb.fn.min('job_updated_at').as('oldest'))
        .executeTakeFirstOrThrow()
      return oldest as string | null
    }),
  )
  return times.filter((time) => time !== null).toSorted()[0]
}
