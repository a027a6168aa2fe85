import type { SubmissionsTable } from '../database/schema.ts'

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
