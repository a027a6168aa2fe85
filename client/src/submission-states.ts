import type { IntakeJob, Submission, SubmissionSummary } from './api-types.generated.ts'

/** A submission by its status: check `status`, and the type says what is there. */
export type SubmissionState = UnfinishedSubmission | FinalSubmission
export type FinalSubmission = PassedSubmission | FailedSubmission | ExpiredSubmission

/** One of a list: the same, without what only the submission itself has. */
export type SummaryState = SubmissionSummary &
  (
    | { readonly status: 'PENDING' | 'RUNNING' | 'FAIL'; readonly kit_id: null }
    | { readonly status: 'PASS'; readonly kit_id: string }
    | { readonly status: 'EXPIRED' }
  )

export type UnfinishedSubmission = Submission & {
  readonly status: 'PENDING' | 'RUNNING'
  readonly kit_id: null
}
/** Its kit is issued. */
export type PassedSubmission = Submission & {
  readonly status: 'PASS'
  readonly kit_id: string
  readonly waiting: null
}
/** `blockers` says why there is no kit. */
export type FailedSubmission = Submission & {
  readonly status: 'FAIL'
  readonly kit_id: null
  readonly waiting: null
}
/** The evidence was deleted. A kit that was issued keeps its ID. */
export type ExpiredSubmission = Submission & { readonly status: 'EXPIRED'; readonly waiting: null }

export type FinalJob = IssuedJob | (IntakeJob & { readonly status: 'FAIL' | 'EXPIRED' })
export type IssuedJob = IntakeJob & { readonly status: 'ISSUED'; readonly kit_id: string }

const FINAL: ReadonlySet<string> = new Set(['PASS', 'FAIL', 'EXPIRED'])
const FINAL_JOB: ReadonlySet<string> = new Set(['ISSUED', 'FAIL', 'EXPIRED'])

export const isFinal = (submission: SubmissionState): submission is FinalSubmission =>
  FINAL.has(submission.status)
export const isFinalJob = (job: IntakeJob): job is FinalJob => FINAL_JOB.has(job.status)
