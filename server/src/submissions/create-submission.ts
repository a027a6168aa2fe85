import type { JsonValue } from '@kitseal/kit/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { inOneRoundTrip } from '../database/statements.ts'
import type { Database, OpenedSubmission, SubmissionsTable } from '../database/schema.ts'
import type { Acting, Unit } from '../database/unit.ts'
import { type Caller, type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import {
  idempotencyKey,
  type IdempotentResponse,
  runTogether,
  sendStoredResponse,
} from '../http/idempotency.ts'
import type { Service } from '../http/route.ts'
import { type Identifiers, isJobId, type KitId, type SubmissionId } from '../runtime/identifiers.ts'
import { profileVersion } from './profiles.ts'
import { Refusal } from '../refusals.ts'
import { countEvents, eventInsertions, type NewEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import type { SubmissionContext } from './submission-context.ts'
import { labelWords } from './submission-words.ts'
import type { SubmissionRequest } from './submission-schemas.ts'
import type { FoundSubmission } from './submission-queries.ts'
import { submissionRecord } from './submission.ts'

export const DEFAULT_PROFILE = 'default'

/** A kit that is re-issued, and its submission. */
export interface ReplacedKit {
  readonly kit_id: KitId
  readonly submission_id: SubmissionId
}

const DRAFT_HOURS = 30 * 24

/** A submission that is not submitted expires 30 days after its creation or its last upload. */
export const draftEnd = (nowMs: number): string => timestamp(nowMs + DRAFT_HOURS * 60 * 60 * 1000)

export interface CreateContext {
  readonly clock: Clock
  readonly identifiers: Identifiers
}

/** A caller, or the service itself. */
type Creator = Pick<WorkspaceCaller, 'is' | 'workspaceId'> & { readonly actor: Actor }

/** The row of an intake job. `expiresAt`: when it ends, unless evidence arrives. */
export function newJob(
  { clock, identifiers }: CreateContext,
  job: Pick<SubmissionsTable, 'tenant_id' | 'scope_label' | 'status' | 'workspace_id'>,
  expiresAt: string | null,
): SubmissionsTable {
  const now = timestamp(clock.now())
  const label = job.scope_label
  return {
    ...job,
    submission_id: identifiers.submissionId(),
    job_id: identifiers.jobId(),
    job_created_at: now,
    job_updated_at: now,
    expires_at: expiresAt,
    kit_id: null,
    authenticated: job.workspace_id === null ? 0 : 1,
    sealed_by: null,
    blockers: null,
    findings: null,
    sequence: null,
    label,
    label_key: label.toLowerCase(),
    profile: DEFAULT_PROFILE,
    profile_version: null,
    created_at: now,
    updated_at: now,
    uploads: 0,
    uploaded_bytes: 0,
    open_uploads: 0,
    reserved_bytes: 0,
    replaces_kit_id: null,
    accept: null,
    confirmed: null,
    provenance: null,
    series: null,
    external_id: null,
    tags: null,
    metadata: null,
  }
}

/** Opens an existing draft job as a submission, or creates a row that is both. */
export async function createSubmission(
  trx: Kysely<Database>,
  ctx: CreateContext,
  request: SubmissionRequest,
  caller: Creator,
  replaces?: ReplacedKit,
): Promise<FoundSubmission> {
  const { workspaceId, actor } = caller
  const at = ctx.clock.now()
  const now = timestamp(at)
  const draft =
    request.job_id == null
      ? newJob(ctx, newDraft(request.label, workspaceId), draftEnd(at))
      : await lockDraft(trx, request.job_id, workspaceId, now)
  const { submission_id, job_id } = draft
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
  const opened = {
    workspace_id: workspaceId,
    sequence: last.audit_events,
    label: request.label,
    label_key: request.label.toLowerCase(),
    profile,
    profile_version,
    created_at: now,
    updated_at: now,
    job_updated_at: now,
    expires_at: draftEnd(at),
    accept: acceptText(request.accept ?? []),
    confirmed: (request.confirm ?? []).length === 0 ? null : JSON.stringify(request.confirm),
    provenance: request.provenance == null ? null : JSON.stringify(request.provenance),
    series: request.series ?? null,
    external_id: request.external_id ?? null,
    tags: tagsText(request.tags ?? []),
    metadata: metadataText(request.metadata ?? {}),
  }
  const row: OpenedSubmission = { ...draft, ...opened, replaces_kit_id: replaces?.kit_id ?? null }
  await inOneRoundTrip(trx, [
    request.job_id == null
      ? trx.insertInto('submissions').values(row)
      : trx.updateTable('submissions').set(opened).where('submission_id', '=', submission_id),
    ...eventInsertions(trx, [event], last),
    ...labelWords(trx, row, request.label, request.tags ?? []),
  ])
  return { view: { ...row, ...NEW, replaces_submission_id: replaces?.submission_id ?? null }, evidence: [] }
}

interface CreatingCall {
  readonly request: FastifyRequest
  readonly acting: Acting
  readonly caller: Caller
}

/** The response to a request that creates a submission, once per key. `content`: what a retry repeats. */
export const createOnce = (
  ctx: SubmissionContext & Service,
  { request, acting, caller }: CreatingCall,
  content: JsonValue,
  create: (unit: Unit) => Promise<FoundSubmission>,
): Promise<IdempotentResponse> =>
  runTogether(ctx, workspaceOf(caller).workspaceId, idempotencyKey(request, content), async (trx) => {
    const unit = ctx.units.within(trx, acting)
    const { view, evidence } = await create(unit)
    return { status: 201, body: JSON.stringify(submissionRecord(view, evidence, unit.at, ctx.config.proof)) }
  })

export function sendCreated(reply: FastifyReply, answer: IdempotentResponse): FastifyReply {
  const { submission_id } = JSON.parse(answer.body) as { readonly submission_id: string }
  reply.header('location', `/v1/submissions/${submission_id}`)
  return sendStoredResponse(reply, answer)
}

const newDraft = (label: string, workspaceId: Creator['workspaceId']) =>
  ({ tenant_id: workspaceId, scope_label: label, status: 'DRAFT', workspace_id: workspaceId }) as const

/** As stored: each code once. */
export const acceptText = (codes: readonly string[]): string | null =>
  codes.length === 0 ? null : JSON.stringify([...new Set(codes)].toSorted())

/** As stored. */
export const tagsText = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : JSON.stringify(tags)

export const metadataText = (metadata: Readonly<Record<string, string>>): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)

/** What a view of a new submission has beside its row. */
const NEW = {
  request_id: null,
  period: null,
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

/** Locked, because a concurrent request may open the draft and maintenance may expire it. */
async function lockDraft(
  trx: Kysely<Database>,
  jobId: string,
  workspaceId: Creator['workspaceId'],
  now: string,
): Promise<SubmissionsTable> {
  const job = isJobId(jobId)
    ? await trx
        .selectFrom('submissions')
        .selectAll()
        .where('job_id', '=', jobId)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (job === undefined || job.tenant_id !== workspaceId)
    throw new Refusal('job_not_found', 'Job not found in this workspace.', { param: 'job_id' })
  if (job.sequence !== null)
    throw new Refusal('job_not_bindable', 'The job already has a submission.', { param: 'job_id' })
  if (job.status !== 'DRAFT' || (job.expires_at !== null && job.expires_at <= now))
    throw new Refusal('job_not_bindable', 'The job is not a draft, or it has expired. Create a new one.', {
      param: 'job_id',
    })
  return job
}
