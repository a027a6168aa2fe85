import type { IntakeJob, Submission, SubmissionSummary } from './api-types.generated.ts'
import { call } from './call.ts'
import { type Waiting, WaitTimeout } from './errors.ts'
import { retryAfterMs, type JsonResponse, type Transport } from './transport.ts'

export interface WaitOptions<Record> {
  readonly signal?: AbortSignal | undefined
  /** Called with the first record and after each change of its status. */
  readonly onStatus?: ((record: Record) => void) | undefined
  /** Called when the submission has waited for the same thing for five seconds, such as a frozen log. */
  readonly onWaiting?: ((waiting: Waiting) => void) | undefined
  /** How long to wait. Throws `WaitTimeout` after it. Default: 10 minutes. `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined
}

/** Polls until the submission is PASS, FAIL or EXPIRED. */
export function waitForResult(
  transport: Transport,
  submissionId: string,
  options: WaitOptions<SubmissionState>,
): Promise<FinalSubmission> {
  const { signal } = options
  const fetchRecord = () =>
    call(transport, 'getSubmission', { submission_id: submissionId }, { signal }) as Promise<
      JsonResponse<SubmissionState>
    >
  return poll(transport, submissionId, fetchRecord, isFinal, options)
}

/** Polls until the job is ISSUED, FAIL or EXPIRED. */
export function waitForJob(
  transport: Transport,
  jobId: string,
  options: WaitOptions<IntakeJob>,
): Promise<FinalJob> {
  const { signal } = options
  const fetchRecord = () => call(transport, 'getIntakeJob', { job_id: jobId }, { signal })
  return poll(transport, jobId, fetchRecord, isFinalJob, options)
}

const DEFAULT_TIMEOUT_MS = 10 * 60_000
const FIRST_DELAY_MS = 50
const MAX_DELAY_MS = 5000
/** A kit usually takes less than a second. */
const PATIENCE_MS = 5000

interface Pollable {
  readonly status: string
  readonly waiting?: Waiting | null
}

/**
 * The delay doubles from 50 ms, because most jobs take a moment, up to the service's `Retry-After`. If that is longer than five
 * seconds, the queue is long, and polling earlier is of no use.
 */
async function poll<Record extends Pollable, Final extends Record>(
  { platform }: Transport,
  id: string,
  fetchRecord: () => Promise<JsonResponse<Record>>,
  isEnd: (record: Record) => record is Final,
  { signal, onStatus, onWaiting, timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions<Record>,
): Promise<Final> {
  const endMs = platform.now() + timeoutMs
  let lastStatus: string | undefined
  let held: { readonly reason: string | undefined; readonly atMs: number; isTold: boolean } | undefined
  for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
    const { data, headers } = await fetchRecord()
    const { status, waiting } = data
    if (status !== lastStatus) onStatus?.(data)
    if (isEnd(data)) return data
    lastStatus = status
    if (held?.reason !== waiting?.reason || held === undefined)
      held = { reason: waiting?.reason, atMs: platform.now(), isTold: false }
    if (waiting != null && !held.isTold && platform.now() - held.atMs >= PATIENCE_MS) {
      held.isTold = true
      onWaiting?.(waiting)
    }
    const requestedMs = retryAfterMs(headers.get('retry-after'), platform.now())
    const leftMs = endMs - platform.now()
    if (leftMs <= 0) throw new WaitTimeout(id, timeoutMs, status, waiting ?? undefined)
    const waitMs =
      requestedMs !== undefined && requestedMs > MAX_DELAY_MS
        ? requestedMs
        : Math.min(delayMs, requestedMs ?? MAX_DELAY_MS)
    await platform.wait(Math.min(waitMs, leftMs), signal)
  }
}

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
