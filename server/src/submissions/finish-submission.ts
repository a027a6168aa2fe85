import type { Db, SubmissionsTable } from '../database/schema.ts'
import type { KitId, WorkspaceId } from '../runtime/identifiers.ts'
import { addToSeries } from './series.ts'
import { type NewEvent, recordEvents } from '../audit/audit-trail.ts'
import { type CreditChange, moveCredits } from '../access/credits.ts'
import type { Blocker } from './blockers.ts'

/** A submission whose kit is issued. */
export interface IssuedJob {
  readonly job: Readonly<SubmissionsTable>
  readonly kitId: KitId
}

/** What else follows from the end of submissions, in the same transaction. */
export interface FinishJob {
  issued(trx: Db, issued: readonly IssuedJob[], now: string): Promise<void>
  failed(trx: Db, job: Readonly<SubmissionsTable>, blockers: readonly Blocker[], now: string): Promise<void>
}

/** Captures or releases the credits of finished submissions and records the events. */
export const finishSubmission: FinishJob = {
  async issued(trx, issued, now) {
    const finished = issued.map(({ job, kitId }) => ({ job, details: { kit_id: kitId } }))
    await settle(trx, ISSUED, now, finished)
    await addToSeries(
      trx,
      issued.filter(({ job }) => job.series !== null).map(({ job }) => job.job_id),
    )
  },
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
  readonly job: Readonly<SubmissionsTable>
  readonly details: Readonly<Record<string, string | number>>
}

async function settle(
  trx: Db,
  settlement: Settlement,
  at: string,
  finished: readonly Finished[],
): Promise<void> {
  const owned = finished.filter(({ job }) => job.workspace_id !== null)
  const byWorkspace = Object.entries(Object.groupBy(owned, ({ job }) => job.workspace_id ?? ''))
  // The same order on every node prevents deadlocks.
  for (const [id, own = []] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await settleIn(trx, id as WorkspaceId, settlement, at, own)
}

/** The finished submissions of one workspace. */
async function settleIn(
  trx: Db,
  workspaceId: WorkspaceId,
  { move, action, jobAction }: Settlement,
  at: string,
  finished: readonly Finished[],
): Promise<void> {
  const events: NewEvent[] = []
  const changes: CreditChange[] = []
  for (const { job, details } of finished) {
    const { submission_id: submissionId, job_id, sequence, replaces_kit_id } = job
    const event = { workspaceId, actor: { is: 'service' }, details, at } as const
    // An intake job costs no credit, but its result is recorded too.
    if (sequence === null) events.push({ ...event, action: jobAction, subject: job_id })
    else events.push({ ...event, action, subject: submissionId })
    // No credit was held for a kit that is re-issued.
    if (sequence !== null && replaces_kit_id === null)
      changes.push({ workspaceId, kind: move, amount: 1, submissionId, at })
  }
  const [first, ...more] = changes
  if (first === undefined) return recordEvents(trx, events)
  if (!(await moveCredits(trx, [first, ...more], events)))
    throw new Error(`${first.submissionId} has no credit to ${move}`)
}
