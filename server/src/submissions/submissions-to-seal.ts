import { nestedRows, unnested, type Param, preparedFirst } from '../database/statements.ts'
import type {
  Db,
  EvidenceTable,
  OpenedSubmission,
  SubmissionsTable,
  WorkspacesTable,
} from '../database/schema.ts'
import type { EvidenceRequestId, JobId } from '../runtime/identifiers.ts'
import type { Plan } from '../settings/plan.ts'
import { PLAN_COLUMNS, planOf } from '../access/plans.ts'
import { confirmedBy, type Supplier } from '../access/supplier.ts'
import { factsIn, type ReceivedFact } from './received-by.ts'

/** A job, with its evidence if it was opened as a submission. */
export interface JobToSeal {
  readonly job: Readonly<SubmissionsTable>
  readonly opened: SubmissionToSeal | undefined
}

/** All that it takes to make the kit of a submission. */
export interface SubmissionToSeal {
  readonly submission: Readonly<OpenedSubmission>
  readonly plan: Plan
  readonly evidence: readonly Readonly<EvidenceTable>[]
  readonly workspace: Pick<WorkspacesTable, 'pins' | 'language'>
  /** The workspace with its name when the work began. */
  readonly supplier: Supplier
  /** The request that the submission answers, or of the period that it is. */
  readonly requestId: EvidenceRequestId | null
  /** Who submitted the answer. */
  readonly sender: readonly ReceivedFact[]
}

export type FindToSeal = (job: JobId) => Promise<JobToSeal | undefined>

const EVIDENCE = [
  'evidence.submission_id',
  'evidence.position',
  'evidence.name',
  'evidence.sha256',
  'evidence.size_bytes',
  'evidence.crc32',
  'evidence.object',
  'evidence.offset_bytes',
  'evidence.media_type',
  'evidence.received_by',
  'evidence.received',
] as const

/** Finds a submission with what it takes to seal it, in one statement. */
export function submissionsToSeal(db: Db): FindToSeal {
  const findOpened = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db
      .selectFrom('submissions')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .innerJoin('plans', 'plans.plan', 'workspaces.plan')
      .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
      .selectAll('submissions')
      .select(['workspaces.pins', 'workspaces.language', 'workspaces.name as workspace_name'])
      .select('workspaces.named_by')
      .select(['request_rounds.request_id', 'request_rounds.sender'])
      .select(PLAN_COLUMNS)
      .select((eb) =>
        nestedRows(
          db,
          eb
            .selectFrom('evidence')
            .select(EVIDENCE)
            .whereRef('evidence.submission_id', '=', 'submissions.submission_id')
            .orderBy('evidence.position'),
        ).as('evidence'),
      )
      .where('submissions.job_id', '=', param('job'))
      .where('submissions.sequence', 'is not', null)
      .$narrowType<OpenedSubmission>(),
  )
  const findJob = preparedFirst(db, (param: Param<{ job: JobId }>) =>
    db.selectFrom('submissions').selectAll().where('job_id', '=', param('job')),
  )
  return async (jobId) => {
    const row = await findOpened({ job: jobId })
    if (row === undefined) {
      const job = await findJob({ job: jobId })
      return job && { job, opened: undefined }
    }
    const { pins, language, workspace_name: name, named_by, ...rest } = row
    const { request_id: requestId, sender, evidence, ...submission } = rest
    return {
      job: submission,
      opened: {
        submission,
        plan: planOf(row),
        evidence: unnested(evidence),
        workspace: { pins, language },
        supplier: { workspace_id: submission.workspace_id, name, confirmed_by: confirmedBy(named_by) },
        requestId,
        sender: factsIn(sender),
      },
    }
  }
}
