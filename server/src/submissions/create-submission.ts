import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import { inOneRoundTrip } from '../database/in-one-round-trip.ts'
import type { Database, JobsTable, SubmissionsTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { isJobId, type JobId, type KitId, type SubmissionId } from '../runtime/identifiers.ts'
import { newJob, type NewJobContext } from './new-job.ts'
import { profileVersion } from './find-profile.ts'
import { Refusal } from '../refusals.ts'
import { countEvents, eventInsertions, type NewEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { labelWords } from './index-words.ts'
import type { SubmissionRequest } from './submission-schemas.ts'
import type { FoundSubmission } from './submission-queries.ts'

export const DEFAULT_PROFILE = 'default'

/** A kit that is re-issued, and its submission. */
export interface ReplacedKit {
  readonly kit_id: KitId
  readonly submission_id: SubmissionId
}

const DRAFT_HOURS = 30 * 24

/** A submission that is not submitted expires 30 days after its creation or its last upload. */
export const draftEnd = (nowMs: number): string => timestamp(nowMs + DRAFT_HOURS * 60 * 60 * 1000)

export type CreateContext = Pick<NewJobContext, 'clock' | 'identifiers'>

/** A caller, or the service itself. */
export type Creator = Pick<WorkspaceCaller, 'is' | 'workspaceId'> & { readonly actor: Actor }

/** Creates a submission for an existing draft job, or for a new one. */
export async function createSubmission(
  trx: Kysely<Database>,
  ctx: CreateContext,
  request: SubmissionRequest,
  caller: Creator,
  replaces?: ReplacedKit,
): Promise<FoundSubmission> {
  const { workspaceId, actor } = caller
  const now = timestamp(ctx.clock.now())
  const submission_id = ctx.identifiers.submissionId()
  const draft = request.job_id == null ? newDraft(ctx, request, caller) : undefined
  const job_id = draft?.job_id ?? (await bindDraft(trx, request.job_id ?? '', caller, now))
  const profile = request.profile ?? DEFAULT_PROFILE
  const profile_version = await profileVersion(trx, workspaceId, profile)
  const event: NewEvent = {
    workspaceId,
    actor,
    action: 'submission.created',
    subject: submission_id,
    details: { job_id, profile, ...(replaces === undefined ? {} : { replaces: replaces.kit_id }) },
    at: now,
  }
  const last = await countEvents(trx, workspaceId, 1)
  const row: SubmissionsTable = {
    submission_id,
    workspace_id: workspaceId,
    sequence: last.audit_events,
    job_id,
    label: request.label,
    profile,
    created_at: now,
    updated_at: now,
    uploads: 0,
    uploaded_bytes: 0,
    open_uploads: 0,
    reserved_bytes: 0,
    replaces_kit_id: replaces?.kit_id ?? null,
    accept: acceptText(request.accept ?? []),
    confirmed: (request.confirm ?? []).length === 0 ? null : JSON.stringify(request.confirm),
    provenance: provenanceText(request.provenance),
    series: request.series ?? null,
    external_id: request.external_id ?? null,
    tags: tagsText(request.tags ?? []),
    metadata: metadataText(request.metadata ?? {}),
    profile_version,
    label_key: request.label.toLowerCase(),
  }
  await inOneRoundTrip(trx, [
    ...(draft === undefined ? [] : [trx.insertInto('jobs').values(draft)]),
    ...eventInsertions(trx, [event], last),
    trx.insertInto('submissions').values(row),
    ...labelWords(trx, row, request.label, request.tags ?? []),
  ])
  const replaces_submission_id = replaces?.submission_id ?? null
  return { view: { ...row, ...DRAFT, replaces_submission_id, job_updated_at: now }, evidence: [] }
}

/** As stored: each code once. */
export const acceptText = (codes: readonly string[]): string | null =>
  codes.length === 0 ? null : JSON.stringify([...new Set(codes)].toSorted())

/** As stored. */
export const tagsText = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : JSON.stringify(tags)

/** As stored. */
export const provenanceText = (provenance: SubmissionRequest['provenance']): string | null =>
  provenance == null ? null : JSON.stringify(provenance)

export const metadataText = (metadata: Readonly<Record<string, string>>): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)

/** The job columns of a new submission. */
const DRAFT = {
  job_status: 'DRAFT',
  kit_id: null,
  blockers: null,
  findings: null,
  held_until: null,
  failing_since: null,
  downloads: null,
  key_revoked_at: null,
  hold_reason: null,
  hold_placed_at: null,
  erasure: null,
  replaced_by_submission_id: null,
  replaced_by_kit_id: null,
  log_frozen_at: null,
  log_cosigned: null,
  log_time_stamp: null,
} as const

function newDraft(ctx: CreateContext, request: SubmissionRequest, caller: Creator): JobsTable {
  const draft = { tenant_id: caller.workspaceId, scope_label: request.label, status: 'DRAFT' } as const
  return newJob({ ...ctx, config: { draftTtlHours: DRAFT_HOURS } }, draft, caller)
}

async function bindDraft(
  trx: Kysely<Database>,
  jobId: string,
  { workspaceId }: Creator,
  now: string,
): Promise<JobId> {
  const job = isJobId(jobId)
    ? await trx
        .selectFrom('jobs')
        .select(['job_id', 'tenant_id', 'status', 'expires_at'])
        .where('job_id', '=', jobId)
        // Locked, because a concurrent request may bind the draft and maintenance may expire it.
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (job === undefined || job.tenant_id !== workspaceId) {
    throw new Refusal('job_not_found', 'Job not found in this workspace.', { param: 'job_id' })
  }
  if (await hasSubmission(trx, job.job_id)) {
    throw new Refusal('job_not_bindable', 'The job already has a submission.', { param: 'job_id' })
  }
  if (job.status !== 'DRAFT' || (job.expires_at !== null && job.expires_at <= now)) {
    throw new Refusal('job_not_bindable', 'The job is not a draft, or it has expired. Create a new one.', {
      param: 'job_id',
    })
  }
  await trx
    .updateTable('jobs')
    .set({ expires_at: draftEnd(Date.parse(now)), workspace_id: workspaceId, updated_at: now })
    .where('job_id', '=', job.job_id)
    .execute()
  return job.job_id
}

async function hasSubmission(trx: Kysely<Database>, jobId: JobId): Promise<boolean> {
  const bound = await trx
    .selectFrom('submissions')
    .select('job_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return bound !== undefined
}
