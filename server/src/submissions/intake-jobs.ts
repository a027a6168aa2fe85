import type { JsonValue } from '@kitseal/kit'
import { BOUNDARY } from '@kitseal/kit/internal'
import { type Static, Type } from 'typebox'
import { isVisible } from '../access/public-kits.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { Db, SubmissionsTable } from '../database/schema.ts'
import { addressGroup } from '../http/addresses.ts'
import { type Caller, workspaceOf } from '../http/caller.ts'
import { idempotencyKey, runOnce, sendStoredResponse, type StoredResponse } from '../http/idempotency.ts'
import { Boundary, DateTime, NamedBody, NullableString, LABEL, OneOf } from '../http/schema-parts.ts'
import { asSent, composed, member } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import { isJobId, type WorkspaceId } from '../runtime/identifiers.ts'
import { newJob } from './create-submission.ts'
import { queueSealing } from './seal-submission.ts'
import type { SubmissionContext } from './submission-context.ts'

type Job = Pick<
  SubmissionsTable,
  'job_id' | 'tenant_id' | 'scope_label' | 'status' | 'job_created_at' | 'job_updated_at' | 'kit_id'
>

/** IntakeJob (contract 2.1). */
const IntakeJob = composed<Job>('IntakeJob', 'An intake job, from draft to issued kit.', {
  job_id: Type.String(),
  tenant_id: Type.String(),
  scope_label: Type.String(),
  status: OneOf(['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED']),
  created_at: member(DateTime(), ({ job_created_at }: Job) => job_created_at),
  updated_at: member(DateTime(), ({ job_updated_at }: Job) => job_updated_at),
  kit_id: Type.Optional(NullableString()),
  boundary: member(Boundary(), () => BOUNDARY),
})

/** The body of a new job. Members of IntakeJob that the service assigns are accepted and ignored. */
const IntakeJobRequest = NamedBody(
  'IntakeJobRequest',
  'Send `tenant_id`, `scope_label` and optionally `status`. Other members of IntakeJob are accepted and ignored.',
  {
    tenant_id: Type.String({
      ...LABEL,
      description: 'The tenant, one line of text. With an API key: its workspace ID.',
    }),
    scope_label: Type.String({
      ...LABEL,
      description: 'What the evidence is about. Becomes `scope` in the receipt.',
    }),
    status: Type.Optional(
      Type.Unsafe<'DRAFT' | 'SUBMITTED'>({
        type: 'string',
        enum: ['DRAFT', 'SUBMITTED'],
        default: 'SUBMITTED',
      }),
    ),
    job_id: Type.Optional(Type.String({ description: 'Accepted and ignored. The service assigns it.' })),
    created_at: Type.Optional(DateTime()),
    updated_at: Type.Optional(DateTime()),
    kit_id: Type.Optional(NullableString()),
    boundary: Type.Optional(Type.String()),
  },
)

type IntakeJobRequest = Static<typeof IntakeJobRequest>

const BODY_LIMIT_BYTES = 16_384
const HOUR_MS = 3_600_000
const RETRY_AFTER_SECONDS: Readonly<Record<string, string>> = { PASS: '1', DRAFT: '60' }

const createIntakeJob = route('createIntakeJob', 'POST /v1/intake/jobs', {
  access: { scope: 'submit', role: 'member', isOpen: true },
  status: 202,
  bodyLimit: BODY_LIMIT_BYTES,
  config: { rate: 'intake' },
  async before({ caller }, { config }: SubmissionContext) {
    if (!config.openIntake && caller.is === 'anyone') throw keyRequired()
  },
  summary: 'Create an intake job',
  description:
    'A `SUBMITTED` job (the default) is sealed at once. A `DRAFT` needs an API key: create a submission with its `job_id`, and send the evidence there. Poll the job until it is ISSUED or FAIL.',
  once: 'A retry with the same key within 24 hours returns the first response and creates no second job.',
  body: asSent(IntakeJobRequest),
  example: { tenant_id: 'acme', scope_label: 'first kit' },
  returns: IntakeJob,
  codes: ['api_key_required', 'api_access_off', 'tenant_not_yours'],
  async send(ctx: SubmissionContext, { body, caller, request }, reply) {
    rejectOtherTenant(body, caller)
    rejectOpenDraft(body, caller)
    const once = idempotencyKey(request, body as JsonValue)
    const { tenant_id, scope_label, status = 'SUBMITTED' } = body
    const workspace_id = caller.is === 'workspace' ? caller.workspaceId : null
    const expiresAt = status === 'DRAFT' ? draftEnd(ctx) : null
    const job = newJob(ctx, { tenant_id, scope_label, status, workspace_id }, expiresAt)
    const create = async (db: Db) => {
      // Retries and drafts add nothing to the queue.
      if (job.status === 'SUBMITTED') ctx.queue.refuseWhenFull(job.workspace_id)
      if (caller.is === 'anyone') await countOpenJob(db, ctx, request.ip)
      return insertJob(db, job, caller)
    }
    const answer = await runOnce(ctx.db, ctx.clock, once, create)
    if (job.status === 'SUBMITTED' && !answer.replayed) ctx.queue.added(job.workspace_id)
    const made = JSON.parse(answer.body) as Pick<Job, 'job_id' | 'status'>
    const after = pollAfter(ctx, made.status, workspace_id)
    reply.headers({ location: `/v1/intake/jobs/${made.job_id}`, 'retry-after': after })
    return sendStoredResponse(reply, answer)
  },
})

const getIntakeJob = route('getIntakeJob', 'GET /v1/intake/jobs/:job_id', {
  access: { scope: 'read', role: 'viewer', isOpen: true },
  summary: 'Poll an intake job',
  description: '`Retry-After` says when to poll again. It is absent once the status is final.',
  path: { job_id: Type.String({ description: 'Returned when the job was created.' }) },
  returns: IntakeJob,
  async run(ctx: SubmissionContext, { caller, params }, reply) {
    const job = isJobId(params.job_id) ? await ctx.submissions.job({ id: params.job_id }) : undefined
    if (job === undefined || !isVisible(job, caller, 'receipt'))
      throw new Refusal(
        'job_not_found',
        'Job not found. Check the ID, and send the API key of its workspace.',
      )
    const retryAfter = pollAfter(ctx, job.status, job.workspace_id)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    return job
  },
})

export const jobRoutes = [createIntakeJob, getIntakeJob]

/** Undefined if the status is final. */
const pollAfter = (
  { queue }: Pick<SubmissionContext, 'queue'>,
  status: Job['status'],
  workspaceId: WorkspaceId | null,
): string | undefined =>
  status === 'SUBMITTED' ? queue.retryAfter(workspaceId) : RETRY_AFTER_SECONDS[status]

const draftEnd = ({ clock, config }: Pick<SubmissionContext, 'clock' | 'config'>): string =>
  timestamp(clock.now() + config.draftTtlHours * HOUR_MS)

const keyRequired = (): Refusal =>
  new Refusal('api_key_required', 'This service requires an API key to create jobs. Send it in X-API-Key.')

/** The database counts, so that the limits hold for all nodes together and after a restart. */
async function countOpenJob(
  db: Db,
  { clock, config }: Pick<SubmissionContext, 'clock' | 'config'>,
  address: string,
): Promise<void> {
  const { perAddress, inAll } = config.openIntakeLimits
  if (inAll === Infinity) return
  if (!(await countToday(db, clock, `intake ${addressGroup(address)}`, perAddress)))
    throw tooManyJobs('from this address', clock)
  if (!(await countToday(db, clock, 'intake', inAll))) throw tooManyJobs('without an API key', clock)
}

const tooManyJobs = (which: string, clock: SubmissionContext['clock']): Refusal =>
  new Refusal('rate_limited', `Too many jobs ${which} today. Try again tomorrow (UTC), or send an API key.`, {
    headers: { 'retry-after': String(secondsUntilTomorrow(clock)) },
  })

/** Nobody could send its evidence. */
function rejectOpenDraft({ status }: IntakeJobRequest, caller: Caller): void {
  if (status !== 'DRAFT' || caller.is === 'workspace') return
  throw new Refusal(
    'body_invalid',
    'status: DRAFT needs an API key, because its evidence is sent with one. Send X-API-Key, or leave status out.',
    { param: 'status' },
  )
}

/** A key acts for its own workspace only. */
function rejectOtherTenant({ tenant_id }: IntakeJobRequest, caller: Caller): void {
  if (caller.is === 'anyone' || tenant_id === workspaceOf(caller).workspaceId) return
  throw new Refusal(
    'tenant_not_yours',
    `tenant_id must be ${caller.workspaceId}, the workspace of the API key.`,
    { param: 'tenant_id' },
  )
}

async function insertJob(db: Db, job: SubmissionsTable, caller: Caller): Promise<StoredResponse> {
  await db.insertInto('submissions').values(job).execute()
  if (job.status === 'SUBMITTED') await queueSealing(db, job)
  if (caller.is === 'workspace') {
    const { workspaceId, actor } = caller
    const event = { workspaceId, actor, subject: job.job_id } as const
    const details = { status: job.status }
    await recordEvent(db, { ...event, action: 'job.created', details, at: job.job_created_at })
  }
  return { status: 202, body: JSON.stringify(IntakeJob.show(job, true)) }
}
