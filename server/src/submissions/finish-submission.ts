import type { Db, JobsTable } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { FinishJob, JobSubmission } from './job-outcome.ts'
import { addToSeries } from './join-series.ts'
import { type NewEvent, recordEvents } from '../audit/audit-trail.ts'
import { type CreditChange, moveCredits } from '../access/credits.ts'

/** Captures or releases the credits of finished submissions and records the events. */
export const finishSubmission: FinishJob = {
  issued: (trx, issued, now) =>
    settle(
      trx,
      ISSUED,
      now,
      issued.map(({ job, kitId, submission }) => ({ job, details: { kit_id: kitId }, submission })),
    ),
  failed: (trx, job, blockers, now) =>
    settle(trx, FAILED, now, [{ job, details: { blockers: blockers.length } }]),
}

interface Settlement {
  readonly move: 'capture' | 'release'
  readonly action: 'submission.passed' | 'submission.failed'
  readonly jobAction: 'job.issued' | 'job.failed'
}

const ISSUED: Settlement = { move: 'capture', action: 'submission.passed', jobAction: 'job.issued' }
const FAILED: Settlement = { move: 'release', action: 'submission.failed', jobAction: 'job.failed' }

interface Finished {
  readonly job: Readonly<JobsTable>
  readonly details: Readonly<Record<string, string | number>>
  /** Undefined if it has to be read. */
  readonly submission?: JobSubmission | null | undefined
}

async function settle(
  trx: Db,
  settlement: Settlement,
  at: string,
  finished: readonly Finished[],
): Promise<void> {
  const owned = finished.filter(({ job }) => job.workspace_id !== null)
  if (owned.length === 0) return
  const submissions = await submissionsOf(trx, owned)
  const byWorkspace = Object.entries(Object.groupBy(owned, ({ job }) => job.workspace_id ?? ''))
  // The same order on every node prevents deadlocks.
  for (const [id, own = []] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await settleIn(trx, id as WorkspaceId, settlement, at, own, submissions)
  if (settlement !== ISSUED) return
  const ofSeries = [...submissions].flatMap(([job, { series }]) => (series === null ? [] : [job]))
  await addToSeries(trx, ofSeries)
}

/** The finished jobs of one workspace. */
async function settleIn(
  trx: Db,
  workspaceId: WorkspaceId,
  { move, action, jobAction }: Settlement,
  at: string,
  finished: readonly Finished[],
  submissions: Submissions,
): Promise<void> {
  const events: NewEvent[] = []
  const changes: CreditChange[] = []
  for (const { job, details } of finished) {
    const event = { workspaceId, actor: { is: 'service' }, details, at } as const
    const submission = submissions.get(job.job_id)
    // A job without a submission costs no credit, but its result is recorded too.
    if (submission === undefined) {
      events.push({ ...event, action: jobAction, subject: job.job_id })
      continue
    }
    const { submission_id: submissionId, replaces_kit_id } = submission
    events.push({ ...event, action, subject: submissionId })
    // No credit was held for a kit that is re-issued.
    if (replaces_kit_id === null) changes.push({ workspaceId, kind: move, amount: 1, submissionId, at })
  }
  const [first, ...more] = changes
  if (first === undefined) return recordEvents(trx, events)
  if (!(await moveCredits(trx, [first, ...more], events)))
    throw new Error(`${first.submissionId} has no credit to ${move}`)
}

type Submissions = ReadonlyMap<JobsTable['job_id'], JobSubmission>

async function submissionsOf(trx: Db, finished: readonly Finished[]): Promise<Submissions> {
  const known = finished.flatMap(({ job, submission }) =>
    submission === undefined || submission === null ? [] : [[job.job_id, submission] as const],
  )
  const unknown = finished.filter(({ submission }) => submission === undefined)
  if (unknown.length === 0) return new Map(known)
  const rows = await trx
    .selectFrom('submissions')
    .select(['job_id', 'submission_id', 'replaces_kit_id', 'series'])
    .where(
      'job_id',
      'in',
      unknown.map(({ job }) => job.job_id),
    )
    .execute()
  return new Map([...known, ...rows.map((row) => [row.job_id, row] as const)])
}
