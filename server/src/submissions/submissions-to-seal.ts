import type { Db, EvidenceTable, SubmissionsTable, WorkspacesTable } from '../database/schema.ts'
import type { EvidenceRequestId, JobId } from '../runtime/identifiers.ts'
import type { Plan } from '../settings/plan.ts'
import { PLAN_COLUMNS, planOf } from '../access/plan-rows.ts'
import { confirmedBy, type Supplier } from '../access/supplier.ts'

/** All that it takes to make the kit of a submission. */
export interface SubmissionToSeal {
  readonly submission: Readonly<SubmissionsTable>
  readonly plan: Plan
  readonly evidence: readonly Readonly<EvidenceTable>[]
  readonly workspace: Pick<WorkspacesTable, 'pins'>
  /** The workspace with its name when the work began. */
  readonly supplier: Supplier
  /** The request that the submission answers. */
  readonly evidenceRequestId: EvidenceRequestId | null
}

/** Reads submissions that are about to be sealed, those of a batch of jobs together. */
export type SubmissionsToSeal = ReturnType<typeof submissionsToSeal>

export function submissionsToSeal(db: Db) {
  const expected = new Map<JobId, Promise<ReadonlyMap<JobId, SubmissionToSeal>>>()
  return {
    /** Reads the submissions of these jobs, which are needed soon. */
    expect(jobs: readonly JobId[]): void {
      const found = readSubmissions(db, jobs)
      // Reported by `take`.
      found.catch(() => {})
      for (const job of jobs) expected.set(job, found)
    },
    /** The submission of a job, if it has one. */
    async take(job: JobId): Promise<SubmissionToSeal | undefined> {
      const found = expected.get(job) ?? readSubmissions(db, [job])
      expected.delete(job)
      return (await found).get(job)
    },
  }
}

async function readSubmissions(
  db: Db,
  jobs: readonly JobId[],
): Promise<ReadonlyMap<JobId, SubmissionToSeal>> {
  if (jobs.length === 0) return new Map()
  const [rows, files] = await Promise.all([
    db
      .selectFrom('submissions')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .innerJoin('plans', 'plans.plan', 'workspaces.plan')
      .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
      .selectAll('submissions')
      .select(['workspaces.pins', 'workspaces.name as workspace_name', 'workspaces.named_by'])
      .select('request_rounds.request_id')
      .select(PLAN_COLUMNS)
      .where('submissions.job_id', 'in', jobs)
      .execute(),
    db
      .selectFrom('evidence')
      .innerJoin('submissions', 'submissions.submission_id', 'evidence.submission_id')
      .selectAll('evidence')
      .where('submissions.job_id', 'in', jobs)
      .orderBy('evidence.position')
      .execute(),
  ])
  const evidence = Map.groupBy(files, ({ submission_id }) => submission_id)
  return new Map(
    rows.map((row) => {
      const { pins, workspace_name: name, named_by, request_id: evidenceRequestId, ...submission } = row
      return [
        row.job_id,
        {
          submission,
          plan: planOf(row),
          evidence: evidence.get(row.submission_id) ?? [],
          workspace: { pins },
          supplier: { workspace_id: row.workspace_id, name, confirmed_by: confirmedBy(named_by) },
          evidenceRequestId,
        },
      ]
    }),
  )
}
