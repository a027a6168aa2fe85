import type { IntakeJob, Submission } from './api-types.generated.ts'
import { call } from './call.ts'
import { retryAfterMs } from './retry.ts'
import type { Transport } from './transport.ts'

export interface WaitOptions<Record> {
  readonly signal?: AbortSignal | undefined
  /** Called with the first record, and with each whose status is another than before. */
  readonly onStatus?: ((record: Record) => void) | undefined
}

/** Asks until the submission is PASS or FAIL. */
export function waitForResult(
  transport: Transport,
  submissionId: string,
  options: WaitOptions<Submission>,
): Promise<Submission> {
  const ask = () => call(transport, 'getSubmission', { submission_id: submissionId }, options)
  return waitUntil(transport, ask, ({ status }) => status === 'PASS' || status === 'FAIL', options)
}

/** Asks until the job is final: ISSUED, FAIL or EXPIRED. */
export function waitForJob(
  transport: Transport,
  jobId: string,
  options: WaitOptions<IntakeJob>,
): Promise<IntakeJob> {
  const ask = () => call(transport, 'getIntakeJob', { job_id: jobId }, options)
  return waitUntil(transport, ask, ({ status }) => FINAL.has(status), options)
}

const FINAL: ReadonlySet<string> = new Set(['ISSUED', 'FAIL', 'EXPIRED'])

const FIRST_MS = 50
const LONGEST_MS = 5000

/** Soon at first, because most are done in a moment; then at the pace that the service asks for. */
async function waitUntil<Record extends { readonly status: string }>(
  { surroundings }: Transport,
  ask: () => Promise<{ readonly answer: Record; readonly headers: Headers }>,
  isFinal: (record: Record) => boolean,
  { signal, onStatus }: WaitOptions<Record>,
): Promise<Record> {
  let last: string | undefined
  for (let waitMs = FIRST_MS; ; waitMs *= 2) {
    const { answer, headers } = await ask()
    if (answer.status !== last) onStatus?.(answer)
    if (isFinal(answer)) return answer
    last = answer.status
    const askedMs = retryAfterMs(headers.get('retry-after'), surroundings.now())
    await surroundings.wait(Math.min(waitMs, askedMs ?? LONGEST_MS), signal)
  }
}
