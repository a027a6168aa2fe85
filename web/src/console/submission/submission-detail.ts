import type { AuditTrail, Submission } from '@kitseal/client'
import { escapeInvisible } from '@kitseal/examiner'

type AuditEvent = AuditTrail['data'][number]
export type TimelineEvent = Pick<AuditEvent, 'at' | 'action' | 'actor' | 'by' | 'details'>

/** A file with the blockers that are about it. */
export interface CheckedFile {
  readonly position: number
  readonly name: string
  readonly size_bytes: number
  readonly good: boolean
}

export interface SubmissionDetail {
  readonly submission: Submission
  readonly timeline: readonly TimelineEvent[]
  readonly files: readonly CheckedFile[]
  readonly resubmittedFrom: string | undefined
  readonly resubmittedAs: readonly string[]
}

export function detailOf(submission: Submission, events: readonly AuditEvent[]): SubmissionDetail {
  const steps = events.filter(({ action }) => action !== 'deliverable.downloaded').toReversed()
  return {
    submission,
    timeline: [...steps, ...running(submission)],
    files: checkedFiles(submission),
    resubmittedFrom: textIn(steps, 'evidence.received', 'from')[0],
    resubmittedAs: textIn(steps, 'submission.resubmitted', 'as'),
  }
}

/** A blocker belongs to the file of that path, or to the archive that contains it. */
export function checkedFiles({
  evidence,
  blockers,
}: Pick<Submission, 'evidence' | 'blockers'>): readonly CheckedFile[] {
  return evidence.map(({ name, size_bytes }, position) => {
    const shown = escapeInvisible(name)
    const good = blockers.every(({ path }) => path !== shown && path?.startsWith(`${shown}/`) !== true)
    return { position, name, size_bytes, good }
  })
}

const running = ({ status, updated_at }: Submission): readonly TimelineEvent[] =>
  status === 'RUNNING'
    ? [{ at: updated_at, action: 'submission.started', actor: 'service', by: null, details: {} }]
    : []

const textIn = (steps: readonly AuditEvent[], action: string, member: string): readonly string[] =>
  steps
    .filter((step) => step.action === action)
    .map((step) => step.details[member])
    .filter((value): value is string => typeof value === 'string')
