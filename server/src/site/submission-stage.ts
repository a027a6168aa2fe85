import type { SubmissionStatus, SubmissionView } from '../submissions/submission.ts'
import type { ConsoleResponse } from './response-schemas.ts'

/** Like the status, but distinguishes drafts (waiting for evidence) from queued submissions (waiting for a worker). */
export type Stage = ConsoleResponse<'Stage'>

export function stageOf({ job_status }: Pick<SubmissionView, 'job_status'>, status: SubmissionStatus): Stage {
  switch (status) {
    case 'PENDING':
      return job_status === 'DRAFT' ? 'draft' : 'queued'
    case 'RUNNING':
      return 'running'
    case 'PASS':
      return 'passed'
    case 'FAIL':
      return 'failed'
    case 'EXPIRED':
      return 'expired'
  }
}
