import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { escapeInvisible } from '@kitseal/evidence'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import {
  type EvidenceView,
  statusOf,
  submissionRecord,
  type SubmissionView,
} from '../submissions/submission.ts'
import type { FoundSubmission } from '../submissions/submission-queries.ts'
import type { ConsoleResponse } from './response-schemas.ts'
import type { BlockerRecord } from '../submissions/submission-schemas.ts'
import { type Stage, stageOf } from './submission-stage.ts'

type TimelineEvent = ConsoleResponse<'TimelineEvent'>

/** A submission with its timeline and the blockers of each file. */
export async function submissionDetail(
  db: Kysely<Database>,
  { view, evidence }: FoundSubmission,
  now: string,
): Promise<ConsoleResponse<'SubmissionDetail'>> {
  const submission = submissionRecord(view, evidence, now)
  const stage = stageOf(view, submission.status)
  const steps = await stepsOf(db, view.workspace_id, view.submission_id)
  return {
    submission,
    stage,
    timeline: [...steps, ...running(view, stage)],
    evidence: checkedFiles(evidence, submission.blockers),
    resubmitted_from: textIn(steps, 'evidence.received', 'from')[0] ?? null,
    resubmitted_as: textIn(steps, 'submission.resubmitted', 'as'),
  }
}

/** A blocker belongs to the file of that path, or to the archive that contains it. */
export function checkedFiles(
  evidence: readonly EvidenceView[],
  blockers: readonly Pick<BlockerRecord, 'path'>[],
): readonly ConsoleResponse<'CheckedFile'>[] {
  return evidence.map(({ name, sha256, size_bytes, media_type }, position) => {
    const shown = escapeInvisible(name)
    const against = blockers.flatMap(({ path }, index) =>
      path === shown || path?.startsWith(`${shown}/`) === true ? [index] : [],
    )
    return { position, name, sha256, size_bytes, media_type, good: against.length === 0, blockers: against }
  })
}

async function stepsOf(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  id: SubmissionId,
): Promise<readonly TimelineEvent[]> {
  const rows = await db
    .selectFrom('audit_events')
    .leftJoin('members', 'members.member_id', 'audit_events.member_id')
    .leftJoin('api_keys', 'api_keys.key_id', 'audit_events.key_id')
    .select(['audit_events.at', 'audit_events.action', 'audit_events.actor', 'audit_events.details'])
    .select(['members.email', 'api_keys.label'])
    .where('audit_events.subject', '=', id)
    .where('audit_events.workspace_id', '=', workspaceId)
    // Must match the condition of the partial index.
    .where(sql<boolean>`audit_events.action <> 'job.created'`)
    .where('audit_events.action', '<>', 'deliverable.downloaded')
    .orderBy('audit_events.sequence')
    .execute()
  return rows.map(({ at, action, actor, details, email, label }) => {
    return { at, action, actor, by: email ?? label, details: JSON.parse(details) as TimelineEvent['details'] }
  })
}

const running = (view: SubmissionView, stage: Stage): readonly TimelineEvent[] =>
  stage === 'running'
    ? [{ at: view.job_updated_at, action: 'submission.started', actor: 'service', by: null, details: {} }]
    : []

const textIn = (steps: readonly TimelineEvent[], action: string, member: string): readonly string[] =>
  steps
    .filter((step) => step.action === action)
    .map((step) => step.details[member])
    .filter((value): value is string => typeof value === 'string')

/** The data of a `submission` event. */
export function change(view: SubmissionView, now: string): object {
  const status = statusOf(view, now)
  return {
    submission_id: view.submission_id,
    status,
    stage: stageOf(view, status),
    kit_id: view.kit_id,
    updated_at: view.updated_at > view.job_updated_at ? view.updated_at : view.job_updated_at,
  }
}
