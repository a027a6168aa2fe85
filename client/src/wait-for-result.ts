import type { IntakeJob } from './api-types.generated.ts'
import { call } from './call.ts'
import { WaitTimeout } from './errors.ts'
import {
  type FinalJob,
  type FinalSubmission,
  isFinal,
  isFinalJob,
  type SubmissionState,
  type Waiting,
} from './submission-states.ts'
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
  let stalled: { readonly reason: string | undefined; readonly atMs: number; isTold: boolean } | undefined
  for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
    const { data, headers } = await fetchRecord()
    const { status, waiting } = data
    if (status !== lastStatus) onStatus?.(data)
    if (isEnd(data)) return data
    lastStatus = status
    if (stalled?.reason !== waiting?.reason || stalled === undefined)
      stalled = { reason: waiting?.reason, atMs: platform.now(), isTold: false }
    if (waiting != null && !stalled.isTold && platform.now() - stalled.atMs >= PATIENCE_MS) {
      stalled.isTold = true
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
