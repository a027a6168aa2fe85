import { Refusal } from '../refusals.ts'
import type { SubmissionView } from './submission.ts'

/** What every way to add evidence can answer. */
export const UPLOAD_CODES = [
  'evidence_invalid',
  'credits_exhausted',
  'request_timeout',
  'submission_submitted',
  'submission_running',
  'submission_of_request',
  'submission_of_period',
  'upload_in_progress',
  'uploads_unfinished',
  'body_too_large',
  'upload_too_large',
  'storage_limit_reached',
  'media_type_unsupported',
  'storage_full',
] as const

export const alreadySubmitted = (): Refusal =>
  new Refusal(
    'submission_submitted',
    'This submission was submitted and accepts no more evidence. Create a new one.',
  )

export const stillRunning = (): Refusal =>
  new Refusal('submission_running', 'The submission is being processed. Try again when it is PASS or FAIL.')

export const unfinished = (): Refusal =>
  new Refusal(
    'uploads_unfinished',
    'Some resumable uploads of this submission are not finished. Finish or delete them, then submit.',
  )

export const overtaken = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission finished first. Get the submission, then retry if needed.',
  )

export const noCredits = (): Refusal =>
  new Refusal(
    'credits_exhausted',
    'This workspace has no credits left. Ask the operator for credits, then upload again.',
  )

const WHOLES = {
  /** The kit would name the workspace as the supplier of files that someone else sent. */
  request: {
    code: 'submission_of_request',
    message: 'These files were sent for a request. The supplier corrects them with the link of the request.',
  },
  period: {
    code: 'submission_of_period',
    message: 'These files belong to a period of a program. Add and remove them there, then seal the period.',
  },
} as const

/** Rejects what would take a submission out of the request or the period that it belongs to. */
export function rejectPart(
  { request_id, period }: Pick<SubmissionView, 'request_id' | 'period'>,
  wholes: readonly (keyof typeof WHOLES)[],
): void {
  if (request_id === null) return
  const whole = period === null ? 'request' : 'period'
  if (wholes.includes(whole)) throw partOf(whole)
}

export const partOf = (whole: keyof typeof WHOLES): Refusal =>
  new Refusal(WHOLES[whole].code, WHOLES[whole].message)
