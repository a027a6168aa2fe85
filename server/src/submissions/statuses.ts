import type { JobStatus } from '../database/schema.ts'
import type { ProofConfig } from '../settings/config.ts'

/** The kind of the task that seals a job. */
export const SEAL = 'seal'

export const SUBMISSION_STATUSES = ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'] as const
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number]

/**
 * A submission has no status of its own: that of its job says where it is, so the two cannot disagree. While a worker holds a job that is
 * SUBMITTED, its submission is RUNNING.
 */
const OF_JOB: Readonly<Record<JobStatus, SubmissionStatus>> = {
  DRAFT: 'PENDING',
  SUBMITTED: 'PENDING',
  PASS: 'RUNNING',
  ISSUED: 'PASS',
  FAIL: 'FAIL',
  EXPIRED: 'EXPIRED',
}

interface JobState {
  readonly status: JobStatus
  /** Until when a worker holds it. */
  readonly held_until: string | null
}

export function statusOf({ status, held_until }: JobState, now: string): SubmissionStatus {
  const isHeld = status === 'SUBMITTED' && held_until !== null && held_until > now
  return isHeld ? 'RUNNING' : OF_JOB[status]
}

/** The statuses that the job of such a submission can have. */
export const jobStatuses = (status: SubmissionStatus): readonly JobStatus[] =>
  JOB_STATUSES.filter((job) => OF_JOB[job] === status || (job === 'SUBMITTED' && status === 'RUNNING'))

const JOB_STATUSES = Object.keys(OF_JOB) as readonly JobStatus[]

/** What a submission can wait for, with what the API description says about it. */
export const WAITING_REASONS = {
  evidence: 'it is a draft: the final upload is missing',
  queue: 'no worker has taken it yet',
  retry: 'the last attempt failed, such as for a full disk or an unavailable signing key. It is tried again',
  log_frozen: 'the log of the service is frozen: no kits are issued until the operator has repaired it',
  log: 'the kit is sealed and is being recorded in the log',
  witnesses: 'the kit is sealed, and the witnesses have not cosigned the log yet',
  time_stamp: 'the kit is sealed, and no authority has time-stamped the log yet',
} as const
export type WaitingReason = keyof typeof WAITING_REASONS

interface Waiting {
  readonly reason: WaitingReason
  readonly since: string
}

/** The columns that tell. */
export interface WaitingJob extends JobState {
  readonly job_updated_at: string
  /** When an attempt first failed. */
  readonly failing_since: string | null
  /** Since when the log is frozen, and what its newest checkpoint has while the kit waits for its proof. */
  readonly log_frozen_at: string | null
  readonly log_cosigned: number | null
  readonly log_time_stamp: string | null
}

/** What holds a submission, from its own row. Null while a worker has it, and once it is final. */
export function waitingOf(view: WaitingJob, now: string, proof: Confirmation): Waiting | null {
  const { status, job_updated_at, log_frozen_at } = view
  if (status === 'DRAFT') return { reason: 'evidence', since: job_updated_at }
  if (status !== 'PASS' && statusOf(view, now) !== 'PENDING') return null
  if (log_frozen_at !== null)
    return { reason: 'log_frozen', since: log_frozen_at > job_updated_at ? log_frozen_at : job_updated_at }
  return { reason: status === 'PASS' ? missingProof(view, proof) : queued(view), since: job_updated_at }
}

export type Confirmation = Pick<ProofConfig, 'witnessPolicy' | 'authorities'>

const queued = ({ failing_since }: WaitingJob): WaitingReason => (failing_since === null ? 'queue' : 'retry')

function missingProof(view: WaitingJob, proof: Confirmation): WaitingReason {
  if (proof.witnessPolicy !== undefined && view.log_cosigned !== 1) return 'witnesses'
  return proof.authorities.length > 0 && view.log_time_stamp === null ? 'time_stamp' : 'log'
}
