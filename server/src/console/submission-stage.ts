import type { SubmissionStatus, SubmissionView } from '../submissions/submission.ts'

/** Where a submission stands, in one word more than its status has: a draft waits for evidence, a queued one for a worker. */
export type Stage = 'draft' | 'queued' | 'running' | 'passed' | 'failed'

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
  }
}
