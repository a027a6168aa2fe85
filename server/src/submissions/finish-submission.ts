import type { Kysely } from 'kysely'
import type { Database, JobsTable, SubmissionsTable } from '../database/schema.ts'
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
  const submission = await submissionOf(trx, job_id)
  const event = { workspaceId: workspace_id, actor: { is: 'service' }, details, at } as const
  // A job without a submission costs no credit, but its result is recorded too.
  if (submission === undefined) {
    await recordEvent(trx, { ...event, action: jobAction, subject: job_id })
    return
  }
  const { submission_id: submissionId, replaces_kit_id } = submission
  // No credit was held for a kit that is re-issued.
  if (replaces_kit_id !== null) {
    await recordEvent(trx, { ...event, action, subject: submissionId })
    return
  }
  const settled = { workspaceId: workspace_id, kind: move, amount: 1, submissionId, at } as const
  if (!(await moveCredits(trx, settled, { ...event, action, subject: submissionId })))
    throw new Error(`${submissionId} has no credit to ${move}`)
}

async function submissionOf(
  trx: Kysely<Database>,
  jobId: JobsTable['job_id'],
): Promise<Pick<SubmissionsTable, 'submission_id' | 'replaces_kit_id'> | undefined> {
  return trx
    .selectFrom('submissions')
    .select(['submission_id', 'replaces_kit_id'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
}
