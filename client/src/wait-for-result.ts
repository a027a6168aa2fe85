import type { IntakeJob, Submission, SubmissionSummary } from './api-types.generated.ts'
import { call } from './call.ts'
import { type JsonResponse, retryAfterMs, type Transport } from './transport.ts'

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

const isFinal = (submission: SubmissionState): submission is FinalSubmission => FINAL.has(submission.status)
const isFinalJob = (job: IntakeJob): job is FinalJob => FINAL_JOB.has(job.status)

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

/**
 * There is no kit: the evidence failed its checks, or the submission expired. `blockers` says what to change.
 *
 * @example
 * ```ts
 * import { createClient, NotSealedError, trustKeys } from '@kitseal/client'
 * import { seal } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * try {
 *   await seal('evidence', { client, name: 'Access review', trust: trustKeys(await client.getKeys()) })
 * } catch (error) {
 *   if (!(error instanceof NotSealedError)) throw error
 *   for (const { code, path, remedy } of error.blockers) console.log(code, path, remedy)
 * }
 * ```
 */
export class NotSealedError extends Error {
  override readonly name = 'NotSealedError'
  readonly submissionId: string
  readonly status: 'FAIL' | 'EXPIRED'
  readonly blockers: Submission['blockers']

  constructor({ submission_id, status, blockers }: FailedSubmission | ExpiredSubmission) {
    const shown = blockers
      .slice(0, BLOCKERS_SHOWN)
      .map(({ code, path, message }) => `${path ?? code}: ${message}`)
    const more = blockers.length > shown.length ? [`and ${blockers.length - shown.length} more`] : []
    super([`${submission_id} is ${status}`, ...shown, ...more].join('\n  '))
    this.submissionId = submission_id
    this.status = status
    this.blockers = blockers
  }
}

const BLOCKERS_SHOWN = 5

/**
 * The result did not come within `timeoutMs`. Wait again to continue.
 *
 * @example
 * ```ts
 * import { createClient, WaitTimeout } from '@kitseal/client'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review, third quarter' })
 * try {
 *   await client.waitForResult(submission_id, { timeoutMs: 100 })
 * } catch (error) {
 *   if (!(error instanceof WaitTimeout)) throw error
 *   console.log(error.status, error.waiting?.reason) // PENDING evidence
 * }
 * ```
 */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  /** The submission or the job. */
  readonly id: string
  /** The last status seen. */
  readonly status: string
  /** What the submission waits for, if the service says so. */
  readonly waiting: Waiting | undefined

  constructor(id: string, timeoutMs: number, status: string, waiting?: Waiting) {
    super(
      `${id} is still ${status} after ${timeoutMs / 1000} s${waiting === undefined ? '' : `: ${waitingText(waiting)}`}`,
    )
    this.id = id
    this.status = status
    this.waiting = waiting
  }
}

export interface WaitOptions<Record> {
  readonly signal?: AbortSignal | undefined
  /** Called with the first record and after each change of its status. */
  readonly onStatus?: ((record: Record) => void) | undefined
  /** Called when the submission has waited for the same thing for five seconds, such as a frozen log. */
  readonly onWaiting?: ((waiting: Waiting) => void) | undefined
  /** How long to wait. Throws `WaitTimeout` after it. Default: 10 minutes. `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined
}

/** The methods that wait. */
export const waitMethods = (transport: Transport) => ({
  /** Polls until the submission is PASS, FAIL or EXPIRED. */
  waitForResult: (
    submissionId: string,
    options: WaitOptions<SubmissionState> = {},
  ): Promise<FinalSubmission> => {
    const { signal } = options
    const fetchRecord = () =>
      call(transport, 'getSubmission', { submission_id: submissionId }, { signal }) as Promise<
        JsonResponse<SubmissionState>
      >
    return poll(transport, submissionId, fetchRecord, isFinal, options)
  },

  /** Polls until the job is ISSUED, FAIL or EXPIRED. */
  waitForJob: (jobId: string, options: WaitOptions<IntakeJob> = {}): Promise<FinalJob> => {
    const { signal } = options
    const fetchRecord = () => call(transport, 'getIntakeJob', { job_id: jobId }, { signal })
    return poll(transport, jobId, fetchRecord, isFinalJob, options)
  },
})

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
