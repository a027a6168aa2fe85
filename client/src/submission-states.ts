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

/** What a submission waits for, and since when. Newer services may add reasons. */
export type Waiting = NonNullable<Submission['waiting']>

/**
 * What a submission waits for, as text for people.
 *
 * @example
 * ```ts
 * import { waitingText } from '@kitseal/client'
 *
 * console.log(waitingText({ reason: 'queue', since: '2026-03-04T05:06:07.000Z' }))
 * // waiting for a worker of the service since 2026-03-04T05:06:07.000Z
 * ```
 */
export function waitingText({ reason, since }: Waiting): string {
  const text: string | undefined = TEXTS[reason]
  return `waiting for ${text ?? reason} since ${since}`
}

const TEXTS: Readonly<Record<Waiting['reason'], string>> = {
  evidence: 'the final upload',
  queue: 'a worker of the service',
  retry: 'another attempt, because the last one failed,',
  log_frozen: 'the log of the service, which is frozen until the operator has repaired it,',
  log: 'its entry in the log',
  witnesses: 'the cosignatures of the witnesses',
  time_stamp: 'the time-stamp of the log',
}
