import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { transact } from '../database/transact.ts'
import { type Caller, workspaceOf } from '../http/caller.ts'
import { type Answer, answerOnce, type GivenAnswer, onceKey, sendAnswer } from '../http/idempotency.ts'
import { errors, onceHeader } from '../http/route-schemas.ts'
import { type IntakeJob, type IntakeJobRequest, ref } from '../http/schemas.ts'
import { isJobId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Queue } from './job-queue.ts'
import { recordEvent } from '../workspaces/audit-trail.ts'
import { mayBeShown } from '../workspaces/public-kits.ts'
import { intakeJob } from './job.ts'
import { type FoundJob, type JobQueries, jobQueries } from './job-queries.ts'
import { newJob } from './new-job.ts'

export interface IntakeContext extends Context {
  /** Told of every job that waits for a worker. */
  readonly queue: Pick<Queue, 'added' | 'refuseWhenFull'>
}

const BODY_LIMIT_BYTES = 16_384
const RETRY_AFTER_SECONDS: Readonly<Record<string, string>> = { SUBMITTED: '1', PASS: '1', DRAFT: '60' }

export function registerJobRoutes(app: FastifyInstance, ctx: IntakeContext): void {
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
          'A `SUBMITTED` job (the default) is sealed into a kit at once; a `DRAFT` waits for evidence. Poll the job until it is ISSUED or FAIL.',
        tags: ['Intake'],
        headers: onceHeader('Repeats of one key within 24 hours create one job.'),
        body: ref('IntakeJobRequest'),
        response: { 202: ref('IntakeJob'), ...errors(400, 401, 403, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      refuseForeignTenant(body, caller)
      const once = onceKey(request, body as JsonValue)
      const job = newJob(ctx, body, caller)
      const create = (db: Context['db']) => {
        // A repeat, and a draft, add nothing to the queue.
        if (job.status === 'SUBMITTED') ctx.queue.refuseWhenFull()
        return insertJob(jobs, db, job, caller)
      }
      const answer =
        once === undefined
          ? { ...(await inTransactionFor(caller, ctx.db, create)), replayed: false }
          : await answerOnce(ctx.db, ctx.clock, once, create)
      if (job.status === 'SUBMITTED' && !answer.replayed) ctx.queue.added()
      return accepted(reply, answer)
    },
  )

  app.get<{ Params: { readonly job_id: string } }>(
    '/v1/intake/jobs/:job_id',
    {
      schema: {
        operationId: 'getIntakeJob',
        summary: 'Poll an intake job',
        description: 'While the job is not final, `Retry-After` says when to ask again.',
        tags: ['Intake'],
        params: Type.Object({ job_id: Type.String({ description: 'As answered by the creation.' }) }),
        response: { 200: ref('IntakeJob'), ...errors(401, 404) },
      },
    },
    // Asked more often than anything else: where the database is in this process, no promise is made.
    (request, reply) => {
      const id = request.params.job_id
      const found = isJobId(id) ? jobs.find(id) : undefined
      return found instanceof Promise
        ? found.then((job) => shown(job, request.caller, reply))
        : shown(found, request.caller, reply)
    },
  )
}

function shown(job: FoundJob | undefined, caller: Caller, reply: FastifyReply): IntakeJob {
  if (job === undefined || !mayBeShown(job, caller)) {
    throw new Refusal('job_not_found', 'There is no such job.')
  }
  const retryAfter = RETRY_AFTER_SECONDS[job.status]
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return intakeJob(job)
}

const keyRequired = (): Refusal =>
  new Refusal('api_key_required', 'This service takes no jobs without X-API-Key.')

/** With a key one speaks for its workspace, and for no other. */
function refuseForeignTenant({ tenant_id }: IntakeJobRequest, caller: Caller): void {
  if (caller.is === 'anyone' || tenant_id === workspaceOf(caller).workspaceId) return
  throw new Refusal(
    'tenant_not_yours',
    `tenant_id must be ${caller.workspaceId}, the workspace of the key that was sent.`,
  )
}

/** What a key creates is written together with its event; what nobody's key creates is one row. */
function inTransactionFor<T>(
  caller: Caller,
  db: Context['db'],
  work: (db: Context['db']) => Promise<T>,
): Promise<T> {
  return caller.is === 'anyone' ? work(db) : transact(db, work)
}

async function insertJob(
  jobs: JobQueries,
  db: Context['db'],
  job: Parameters<JobQueries['insert']>[1],
  caller: Caller,
): Promise<Answer> {
  await jobs.insert(db, job)
  if (caller.is === 'workspace') {
    const { workspaceId, actor } = caller
    const event = { workspaceId, actor, subject: job.job_id } as const
    const details = { status: job.status }
    await recordEvent(db, { ...event, action: 'job.created', details, at: job.created_at })
  }
  return { status: 202, body: JSON.stringify(intakeJob(job)) }
}

function accepted(reply: FastifyReply, answer: GivenAnswer): FastifyReply {
  const { job_id, status } = JSON.parse(answer.body) as IntakeJob
  reply.headers({ location: `/v1/intake/jobs/${job_id}`, 'retry-after': RETRY_AFTER_SECONDS[status] })
  return sendAnswer(reply, answer)
}
