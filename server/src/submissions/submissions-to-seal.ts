import { type Kysely, sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import { preparedRows } from '../database/prepared.ts'
import type {
  Database,
  EvidenceTable,
  JobsTable,
  SubmissionsTable,
  WorkspacesTable,
} from '../database/schema.ts'
import type { EvidenceRequestId, JobId } from '../runtime/identifiers.ts'
import type { Plan } from '../settings/plan.ts'
import { PLAN_COLUMNS, type PlanRow, planOf } from '../access/plan-rows.ts'
import type { Supplier } from '../access/supplier.ts'

/** All that it takes to make the kit of a submission. */
export interface SubmissionToSeal {
  readonly job: Readonly<JobsTable>
  readonly submission: Readonly<SubmissionsTable>
  readonly plan: Plan
  readonly evidence: readonly Readonly<EvidenceTable>[]
  readonly workspace: Pick<WorkspacesTable, 'pins'>
  /** The workspace with its name when the work began. */
  readonly supplier: Supplier
  /** The request that the submission answers. */
  readonly evidenceRequestId: EvidenceRequestId | null
}

/** Reads submissions that are about to be sealed, those of a batch of jobs in one statement. */
export interface SubmissionsToSeal {
  /** Reads the submissions of these jobs, which are needed soon. */
  expect(jobs: readonly JobId[]): void
  /** The job of an expected submission, as it was read with it. */
  jobOf(job: JobId): Promise<Readonly<JobsTable> | undefined>
  /** The submission of a job, if it has one. */
  take(job: JobId): Promise<SubmissionToSeal | undefined>
}

export function submissionsToSeal(db: Kysely<Database>): SubmissionsToSeal {
  const find = preparedRows(db, queryOf(db))
  const expected = new Map<JobId, Promise<ReadonlyMap<JobId, SubmissionToSeal>>>()

  async function read(jobs: readonly JobId[]): Promise<ReadonlyMap<JobId, SubmissionToSeal>> {
    const rows = await find(JSON.stringify(jobs))
    return new Map(rows.map((row) => [row.job_id, toSeal(row)]))
  }

  return {
    expect(jobs) {
      const found = read(jobs)
      // Reported by `take`.
      found.catch(() => {})
      for (const job of jobs) expected.set(job, found)
    },
    jobOf: async (job) => (await expected.get(job))?.get(job)?.job,
    async take(job) {
      const found = expected.get(job) ?? read([job])
      expected.delete(job)
      return (await found).get(job)
    },
  }
}

type Row = SubmissionsTable &
  PlanRow &
  Pick<WorkspacesTable, 'pins'> & {
    readonly workspace_name: string
    readonly request_id: EvidenceRequestId | null
    /** JSON. */
    readonly evidence: string
    /** JSON. */
    readonly job: string
  }

/** Its parameter is a JSON array of job IDs. */
function queryOf(db: Kysely<Database>) {
  const shared = isShared(db)
  const jobs = shared
    ? sql<JobId>`(select json_array_elements_text(cast(${'[]'} as json)))`
    : sql<JobId>`(select value from json_each(${'[]'}))`
  const evidence = shared ? sql<string>`cast(json_agg(e order by e.position) as text)` : EVIDENCE_IN_SQLITE
  return db
    .selectFrom('submissions')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
    .selectAll('submissions')
    .select(['workspaces.pins', 'workspaces.name as workspace_name', 'request_rounds.request_id'])
    .select(PLAN_COLUMNS)
    .select((shared ? sql<string>`cast(row_to_json(jobs) as text)` : JOB_IN_SQLITE).as('job'))
    .select(
      sql<string>`coalesce((select ${evidence} from evidence e where e.submission_id = submissions.submission_id), '[]')`.as(
        'evidence',
      ),
    )
    .where('submissions.job_id', 'in', jobs)
    .$castTo<Row>()
}

const EVIDENCE_IN_SQLITE = sql<string>`json_group_array(json_object('submission_id', e.submission_id,
  'position', e.position, 'name', e.name, 'sha256', e.sha256, 'size_bytes', e.size_bytes, 'crc32', e.crc32,
  'media_type', e.media_type, 'received_by', e.received_by) order by e.position)`

const JOB_IN_SQLITE = sql<string>`json_object('job_id', jobs.job_id, 'tenant_id', jobs.tenant_id,
  'scope_label', jobs.scope_label, 'status', jobs.status, 'created_at', jobs.created_at, 'updated_at', jobs.updated_at,
  'expires_at', jobs.expires_at, 'kit_id', jobs.kit_id, 'authenticated', jobs.authenticated, 'attempts', jobs.attempts,
  'lease_owner', jobs.lease_owner, 'lease_until', jobs.lease_until, 'lease_token', jobs.lease_token,
  'blockers', jobs.blockers, 'findings', jobs.findings, 'workspace_id', jobs.workspace_id)`

function toSeal(row: Row): SubmissionToSeal {
  const { pins, workspace_name: name, request_id: evidenceRequestId, evidence, job, ...submission } = row
  return {
    job: JSON.parse(job) as JobsTable,
    submission,
    plan: planOf(row),
    evidence: JSON.parse(evidence) as readonly EvidenceTable[],
    workspace: { pins },
    supplier: { workspace_id: row.workspace_id, name },
    evidenceRequestId,
  }
}
