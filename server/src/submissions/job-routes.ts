import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { addressGroup } from '../http/address-group.ts'
import { type Caller, workspaceOf } from '../http/caller.ts'
import {
  idempotencyKey,
  type IdempotentResponse,
  runOnce,
  sendStoredResponse,
  type StoredResponse,
} from '../http/idempotency.ts'
import { errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { isJobId, type JobId, type WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionContext } from './submission-context.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { isVisible } from '../access/public-kits.ts'
import { intakeJob, type JobView } from './job.ts'
import type { IntakeJob, IntakeJobRequest } from './job-schemas.ts'
import { newJob } from './new-job.ts'
import { queueSealing } from './queue-submission.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import { type Param, preparedFirst } from '../database/prepared.ts'
import type { Db, JobsTable, PublicKits } from '../database/schema.ts'

const BODY_LIMIT_BYTES = 16_384
const RETRY_AFTER_SECONDS: Readonly<Record<string, string>> = { PASS: '1', DRAFT: '60' }

export function registerJobRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const jobs = jobQueries(ctx.db)

  app.post<{ Body: IntakeJobRequest }>(
    '/v1/intake/jobs',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { rate: 'intake' },
      onRequest: (request, _reply, done) => {
        const isRefused = !ctx.config.openIntake && request.caller.is === 'anyone'
        done(isRefused ? keyRequired() : undefined)
      },
      schema: {
        operationId: 'createIntakeJob',
        summary: 'Create an intake job',
        description:
          'A `SUBMITTED` job (the default) is sealed at once. A `DRAFT` needs an API key: create a submission with its `job_id`, and send the evidence there. Poll the job until it is ISSUED or FAIL.',
        headers: idempotencyHeader(
          'A retry with the same key within 24 hours returns the first response and creates no second job.',
        ),
        body: ref('IntakeJobRequest'),
        response: { 202: ref('IntakeJob'), ...errors(400, 401, 403, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      rejectOtherTenant(body, caller)
      rejectOpenDraft(body, caller)
      const once = idempotencyKey(request, body as JsonValue)
      const job = newJob(ctx, body, caller)
      const create = async (db: Db) => {
        // Retries and drafts add nothing to the queue.
        if (job.status === 'SUBMITTED') ctx.queue.refuseWhenFull(job.workspace_id)
        if (caller.is === 'anyone') await countOpenJob(db, ctx, request.ip)
        return insertJob(jobs, db, job, caller)
      }
      const answer = await runOnce(ctx.db, ctx.clock, once, create)
      if (job.status === 'SUBMITTED' && !answer.replayed) ctx.queue.added(job.workspace_id)
      return accepted(reply, answer, (made) => pollAfter(ctx, { ...made, workspace_id: job.workspace_id }))
    },
  )

  app.get<{ Params: { readonly job_id: string } }>(
    '/v1/intake/jobs/:job_id',
    {
      schema: {
        operationId: 'getIntakeJob',
        summary: 'Poll an intake job',
        description: '`Retry-After` says when to poll again. It is absent once the status is final.',
        params: Type.Object({ job_id: Type.String({ description: 'Returned when the job was created.' }) }),
        response: { 200: ref('IntakeJob'), ...errors(401, 404) },
      },
    },
    async ({ caller, params }, reply) => {
      const job = isJobId(params.job_id) ? await jobs.find(params.job_id) : undefined
      return sendJob(ctx, job, caller, reply)
    },
  )
}

function sendJob(
  ctx: Pick<SubmissionContext, 'queue'>,
  job: FoundJob | undefined,
  caller: Caller,
  reply: FastifyReply,
): IntakeJob {
  if (job === undefined || !isVisible(job, caller, 'receipt')) {
    throw new Refusal('job_not_found', 'Job not found. Check the ID, and send the API key of its workspace.')
  }
  const retryAfter = pollAfter(ctx, job)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return intakeJob(job)
}

/** Undefined if the status is final. */
function pollAfter(
  { queue }: Pick<SubmissionContext, 'queue'>,
  {
    status,
    workspace_id,
    updated_at,
  }: Pick<IntakeJob, 'status' | 'updated_at'> & Pick<FoundJob, 'workspace_id'>,
): string | undefined {
  return status === 'SUBMITTED' ? queue.retryAfter(workspace_id, updated_at) : RETRY_AFTER_SECONDS[status]
}

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

async function insertJob(
  jobs: JobQueries,
  db: Db,
  job: Parameters<JobQueries['insert']>[1],
  caller: Caller,
): Promise<StoredResponse> {
  await jobs.insert(db, job)
  if (job.status === 'SUBMITTED') await queueSealing(db, job)
  if (caller.is === 'workspace') {
    const { workspaceId, actor } = caller
    const event = { workspaceId, actor, subject: job.job_id } as const
    const details = { status: job.status }
    await recordEvent(db, { ...event, action: 'job.created', details, at: job.created_at })
  }
  return { status: 202, body: JSON.stringify(intakeJob(job)) }
}

function accepted(
  reply: FastifyReply,
  answer: IdempotentResponse,
  after: (made: IntakeJob) => string | undefined,
): FastifyReply {
  const made = JSON.parse(answer.body) as IntakeJob
  reply.headers({ location: `/v1/intake/jobs/${made.job_id}`, 'retry-after': after(made) })
  return sendStoredResponse(reply, answer)
}

/** A job and the visibility of its workspace. */
interface FoundJob extends JobView {
  readonly workspace_id: WorkspaceId | null
  /** Null without a workspace. */
  readonly visibility: PublicKits | null
}

interface JobQueries {
  find(id: JobId): Promise<FoundJob | undefined>
  /** `db` may be a transaction. */
  insert(db: Db, job: JobsTable): Promise<void>
}

const VIEW = [
  'jobs.job_id',
  'jobs.tenant_id',
  'jobs.scope_label',
  'jobs.status',
  'jobs.created_at',
  'jobs.updated_at',
  'jobs.kit_id',
  'jobs.workspace_id',
  'workspaces.visibility',
] as const

function jobQueries(db: Db): JobQueries {
  const find = preparedFirst(db, (param: Param<{ id: JobId }>) =>
    db
      .selectFrom('jobs')
      .leftJoin('workspaces', 'workspaces.workspace_id', 'jobs.workspace_id')
      .select(VIEW)
      .where('job_id', '=', param('id')),
  )
  return {
    find: (id) => find({ id }),
    insert: async (into, job) => {
      await into.insertInto('jobs').values(job).execute()
    },
  }
}
