import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { lockJob } from '../kits/erase-kit.ts'
import { Refusal } from '../refusals.ts'
import type { JobId } from '../runtime/identifiers.ts'
import { stillRunning } from './submission-refusals.ts'
import type { SubmissionView } from './submission.ts'

/** Adds a submission without a series to one, and its kit if it has one. The kit of a submission that is being processed may be sealed already. */
export async function joinSeries(
  trx: Db,
  { submission_id, job_id }: SubmissionView,
  series: string,
): Promise<void> {
  const status = await lockJob(trx, job_id)
  if (status === 'SUBMITTED' || status === 'PASS') throw stillRunning()
  const { numUpdatedRows } = await trx
    .updateTable('submissions')
    .set({ series })
    .where('submission_id', '=', submission_id)
    .where('series', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n)
    throw new Refusal('series_fixed', 'This submission belongs to another series. A kit stays in its series.')
  await addToSeries(trx, [job_id])
}

/** Kits of a series are found in the order in which they were issued. */
export async function addToSeries(trx: Db, jobs: readonly JobId[]): Promise<void> {
  if (jobs.length === 0) return
  const kits = trx
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .where('submissions.job_id', 'in', jobs)
  await trx
    .insertInto('series_kits')
    .columns(['workspace_id', 'series', 'issued_at', 'sequence', 'kit_id', 'is_reissue'])
    .expression(
      kits
        .select(['submissions.workspace_id', 'submissions.series', 'kits.issued_at', 'submissions.sequence'])
        .$narrowType<{ series: string }>()
        .select('kits.kit_id')
        .select(
          sql<number>`case when submissions.replaces_kit_id is null then 0 else 1 end`.as('is_reissue'),
        ),
    )
    .execute()
  await trx
    .insertInto('series_counts')
    .columns(['workspace_id', 'series', 'kits'])
    .expression(
      kits
        .select(['submissions.workspace_id', 'submissions.series'])
        .$narrowType<{ series: string }>()
        .select(({ fn }) => fn.countAll<number>().as('kits'))
        .groupBy(['submissions.workspace_id', 'submissions.series'])
        // Transactions that wait for each other lock rows in the same order.
        .orderBy('submissions.workspace_id')
        .orderBy('submissions.series'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'series'])
        .doUpdateSet((eb) => ({ kits: eb('series_counts.kits', '+', eb.ref('excluded.kits')) })),
    )
    .execute()
}
