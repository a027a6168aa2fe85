import type { Kysely } from 'kysely'
import type { Database, JobsTable } from '../database/schema.ts'
import type { SubmissionId } from '../identifiers.ts'
import type { FinishJob } from '../intake/job-outcome.ts'
import { recordEvent } from '../workspaces/audit-trail.ts'
import { moveCredits } from '../workspaces/credits.ts'

/** Captures or releases the credit of a finished submission and records the event. */
export const finishSubmission: FinishJob = {
  issued: (trx, job, kit, now) =>
    settle(trx, job, now, {
      move: 'capture',
      action: 'submission.passed',
      jobAction: 'job.issued',
      details: { kit_id: kit.kit_id },
    }),
  failed: (trx, job, blockers, now) =>
    settle(trx, job, now, {
      move: 'release',
      action: 'submission.failed',
      jobAction: 'job.failed',
      details: { blockers: blockers.length },
    }),
}

interface Settlement {
  readonly move: 'capture' | 'release'
  readonly action: 'submission.passed' | 'submission.failed'
  readonly jobAction: 'job.issued' | 'job.failed'
  readonly details: Readonly<Record<string, string | number>>
}

async function settle(
  trx: Kysely<Database>,
  { job_id, workspace_id }: Readonly<JobsTable>,
  at: string,
  { move, action, jobAction, details }: Settlement,
): Promise<void> {
  if (workspace_id === null) return
  const submissionId = await submissionOf(trx, job_id)
  const event = { workspaceId: workspace_id, actor: { is: 'service' }, details, at } as const
  // A job without a submission costs no credit, but its result is recorded too.
  if (submissionId === undefined) {
    await recordEvent(trx, { ...event, action: jobAction, subject: job_id })
    return
  }
  const settled = { workspaceId: workspace_id, kind: move, amount: 1, submissionId, at } as const
  if (!(await moveCredits(trx, settled, { ...event, action, subject: submissionId })))
    throw new Error(`${submissionId} has no credit to ${move}`)
}

async function submissionOf(
  trx: Kysely<Database>,
  jobId: JobsTable['job_id'],
): Promise<SubmissionId | undefined> {
  const row = await trx
    .selectFrom('submissions')
    .select('submission_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.submission_id
}
