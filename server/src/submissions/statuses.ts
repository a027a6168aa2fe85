import type { SubmissionsTable } from '../database/schema.ts'
import type { ProofConfig } from '../settings/config.ts'

/** The kind of the task that seals a job. */
export const SEAL = 'seal'

export const SUBMISSION_STATUSES = ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'] as const
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number]

export const STAGES = ['draft', 'queued', 'running', 'passed', 'failed', 'expired'] as const
export type Stage = (typeof STAGES)[number]

interface StatusRow {
  readonly job: SubmissionsTable['status']
  /** Whether a worker holds the job. Undefined if it does not matter. */
  readonly isHeld?: boolean
  readonly status: SubmissionStatus
  readonly stage: Stage
}

/** A submission has no status of its own: that of its job says where it is, so the two cannot disagree. */
export const STATUS_TABLE: readonly StatusRow[] = [
  { job: 'DRAFT', status: 'PENDING', stage: 'draft' },
  { job: 'SUBMITTED', isHeld: false, status: 'PENDING', stage: 'queued' },
  { job: 'SUBMITTED', isHeld: true, status: 'RUNNING', stage: 'running' },
  { job: 'PASS', status: 'RUNNING', stage: 'running' },
  { job: 'ISSUED', status: 'PASS', stage: 'passed' },
  { job: 'FAIL', status: 'FAIL', stage: 'failed' },
  { job: 'EXPIRED', status: 'EXPIRED', stage: 'expired' },
]

interface JobState {
  readonly status: SubmissionsTable['status']
  readonly held_until: string | null
}

export const statusOf = (state: JobState, now: string): SubmissionStatus => rowOf(state, now).status

export const stageOf = (state: JobState, now: string): Stage => rowOf(state, now).stage

function rowOf({ status, held_until }: JobState, now: string): StatusRow {
  const held = held_until !== null && held_until > now
  const row = STATUS_TABLE.find(
    ({ job, isHeld }) => job === status && (isHeld === undefined || isHeld === held),
  )
  if (row === undefined) throw new Error(`no status of a submission for a job that is ${status}`)
  return row
}

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

export interface Waiting {
  readonly reason: WaitingReason
  readonly since: string
}

/** The columns that tell. */
export interface WaitingJob {
  readonly status: SubmissionsTable['status']
  readonly job_updated_at: string
  /** When an attempt first failed. */
  readonly failing_since: string | null
  /** Since when the log is frozen, and what its newest checkpoint has while the kit waits for its proof. */
  readonly log_frozen_at: string | null
  readonly log_cosigned: number | null
  readonly log_time_stamp: string | null
}

/** What holds a submission, from its own row. Null while a worker has it, and once it is final. */
export function waitingOf(view: WaitingJob, stage: Stage, proof: Confirmation): Waiting | null {
  const { status, job_updated_at, log_frozen_at } = view
  if (status === 'DRAFT') return { reason: 'evidence', since: job_updated_at }
  if (status !== 'PASS' && stage !== 'queued') return null
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
