import { type Param, prepared, preparedFirst } from '../database/prepared.ts'
import type { Db, EvidenceTable, JobsTable, SubmissionsTable, WorkspacesTable } from '../database/schema.ts'
import type { EvidenceRequestId, JobId, ProgramId, SubmissionId } from '../runtime/identifiers.ts'
import type { Plan } from '../settings/plan.ts'
import { PLAN_COLUMNS, planOf } from '../access/plan-rows.ts'
import { confirmedBy, type Supplier } from '../access/supplier.ts'
import { factsIn, type ReceivedFact } from './received-facts.ts'

/** A job, and the submission that it has unless its evidence is the intake record. */
export interface JobToSeal {
  readonly job: Readonly<JobsTable>
  readonly submission: SubmissionToSeal | undefined
}

/** All that it takes to make the kit of a submission. */
export interface SubmissionToSeal {
  readonly submission: Readonly<SubmissionsTable>
  readonly plan: Plan
  readonly evidence: readonly Readonly<EvidenceTable>[]
  readonly workspace: Pick<WorkspacesTable, 'pins' | 'language'>
  /** The workspace with its name when the work began. */
  readonly supplier: Supplier
  /** The request that the submission answers. */
  readonly evidenceRequestId: EvidenceRequestId | null
  /** Who submitted the answer. */
  readonly sender: readonly ReceivedFact[]
  /** The period of a program that it is. */
  readonly period: { readonly programId: ProgramId; readonly name: string } | null
}

export type FindToSeal = (job: JobId) => Promise<JobToSeal | undefined>

/** The columns of a job, in a row that also has those of its submission. */
const JOB = [
  'jobs.tenant_id as job_tenant_id',
  'jobs.scope_label as job_scope_label',
  'jobs.status as job_status',
  'jobs.created_at as job_created_at',
  'jobs.updated_at as job_updated_at',
  'jobs.expires_at as job_expires_at',
  'jobs.kit_id as job_kit_id',
  'jobs.authenticated as job_authenticated',
  'jobs.sealed_by as job_sealed_by',
  'jobs.blockers as job_blockers',
  'jobs.findings as job_findings',
  'jobs.workspace_id as job_workspace_id',
] as const

/** Finds a job with its submission in one query, because every submission needs it. */
export function submissionsToSeal(db: Db): FindToSeal {
  const findSubmitted = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db
      .selectFrom('submissions')
      .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .innerJoin('plans', 'plans.plan', 'workspaces.plan')
      .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
      .leftJoin('program_periods', 'program_periods.submission_id', 'submissions.submission_id')
      .selectAll('submissions')
      .select(JOB)
      .select(['workspaces.pins', 'workspaces.language', 'workspaces.name as workspace_name'])
      .select('workspaces.named_by')
      .select(['request_rounds.request_id', 'request_rounds.sender'])
      .select(['program_periods.program_id', 'program_periods.period'])
      .select(PLAN_COLUMNS)
      .where('submissions.job_id', '=', param('job')),
  )
  const findJob = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db.selectFrom('jobs').selectAll().where('job_id', '=', param('job')),
  )
  const evidenceOf = prepared(db, (param: Param<{ id: SubmissionId }>) =>
    db.selectFrom('evidence').selectAll().where('submission_id', '=', param('id')).orderBy('position'),
  )
  return async (jobId) => {
    const row = await findSubmitted({ job: jobId })
    if (row === undefined) {
      const job = await findJob({ job: jobId })
      return job && { job, submission: undefined }
    }
    const { pins, language, workspace_name: name, named_by, program_id: programId, period, ...rest } = row
    const { request_id: evidenceRequestId, sender, ...submission } = rest
    return {
      job: {
        job_id: jobId,
        tenant_id: row.job_tenant_id,
        scope_label: row.job_scope_label,
        status: row.job_status,
        created_at: row.job_created_at,
        updated_at: row.job_updated_at,
        expires_at: row.job_expires_at,
        kit_id: row.job_kit_id,
        authenticated: row.job_authenticated,
        sealed_by: row.job_sealed_by,
        blockers: row.job_blockers,
        findings: row.job_findings,
        workspace_id: row.job_workspace_id,
      },
      submission: {
        submission,
        plan: planOf(row),
        evidence: await evidenceOf({ id: row.submission_id }),
        workspace: { pins, language },
        supplier: { workspace_id: row.workspace_id, name, confirmed_by: confirmedBy(named_by) },
        evidenceRequestId,
        sender: factsIn(sender),
        period: programId === null || period === null ? null : { programId, name: period },
      },
    }
  }
}
