import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import {
  type StoredResponse,
  runTogether,
  type IdempotentResponse,
  idempotencyKey,
  sendStoredResponse,
} from '../http/idempotency.ts'
import { errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import { registerCustodyRoutes } from './custody-routes.ts'
import { checkAccept } from './check-accept.ts'
import { checkTags } from './check-tags.ts'
import { requireProfile } from './find-profile.ts'
import { createSubmission, DEFAULT_PROFILE } from './create-submission.ts'
import { registerDeliverableRoutes } from './deliverable-routes.ts'
import { registerEvidenceRoutes } from './evidence-routes.ts'
import { findSubmission, pollAfter } from './find-submission.ts'
import { registerReissueRoutes } from './reissue-routes.ts'
import { registerListRoutes } from './list-routes.ts'
import { registerOverviewRoutes } from './overview-routes.ts'
import { registerResubmitRoutes } from './resubmit-routes.ts'
import { registerSeriesRoutes } from './series-routes.ts'
import { submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { submissionQueries, type SubmissionQueries } from './submission-queries.ts'
import { registerUpdateRoutes } from './update-routes.ts'
import { type Submission, SubmissionRequest } from './submission-schemas.ts'
import { registerUploadRoutes } from './upload-routes.ts'

/** Fifty names with five hundred characters each, and the rest. */
const BODY_LIMIT_BYTES = 131_072
const Params = Type.Object({
  submission_id: Type.String({ description: 'Returned when the submission was created.' }),
})

/** Submissions, their evidence and their deliverables. */
export function registerSubmissionRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const submissions = submissionQueries(ctx.db)
  const now = (): string => timestamp(ctx.clock.now())

  app.route<{ Body: SubmissionRequest }>({
    method: 'POST',
    url: '/v1/submissions',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: requireWorkspace,
    schema: {
      operationId: 'createSubmission',
      summary: 'Create a submission',
      description: 'The submission is PENDING until evidence is uploaded.',
      tags: ['Submissions'],
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and creates no second submission.',
      ),
      body: ref('SubmissionRequest'),
      response: { 201: ref('Submission'), ...errors(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    validatorCompiler: validateRequest({ body: checkSubmission, named: { SubmissionRequest } }),
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      await requireProfile(ctx.db, ctx.profiles, caller.workspaceId, request.body.profile ?? DEFAULT_PROFILE)
      const once = idempotencyKey(request, request.body as JsonValue)
      const create = async (trx: Context['db']): Promise<StoredResponse> => {
        const { view, evidence } = await createSubmission(trx, ctx, request.body, caller)
        return { status: 201, body: JSON.stringify(submissionRecord(view, evidence, now())) }
      }
      return created(reply, await runTogether(ctx, caller.workspaceId, once, create))
    },
  })

  registerSubmissionRoute(app, ctx, submissions)
  registerListRoutes(app, ctx)
  registerSeriesRoutes(app, ctx)
  registerUpdateRoutes(app, ctx, submissions)
  registerEvidenceRoutes(app, ctx, submissions)
  registerUploadRoutes(app, ctx, submissions)
  registerDeliverableRoutes(app, ctx, submissions)
  registerReissueRoutes(app, ctx, submissions)
  registerResubmitRoutes(app, ctx, submissions)
  registerOverviewRoutes(app, ctx)
  registerCustodyRoutes(app, ctx, submissions)
}

/** GET /v1/submissions/{submission_id}. */
export function registerSubmissionRoute(
  app: FastifyInstance,
  ctx: Pick<SubmissionContext, 'clock' | 'queue'>,
  submissions: SubmissionQueries,
): void {
  const now = (): string => timestamp(ctx.clock.now())
  app.route<{ Params: { readonly submission_id: string } }>({
    method: 'GET',
    url: '/v1/submissions/:submission_id',
    schema: {
      operationId: 'getSubmission',
      summary: 'Poll a submission',
      description:
        'The status is PENDING, RUNNING, PASS, FAIL or EXPIRED. `Retry-After` says when to poll again. It is absent once the status is final.',
      tags: ['Submissions'],
      params: Params,
      response: { 200: ref('Submission'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply): Promise<Submission> => {
      const found = await findSubmission(submissions, request)
      const record = submissionRecord(found, await submissions.evidenceOf(found.submission_id), now())
      const retryAfter = pollAfter(ctx, found, record.status)
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      return record
    },
  })
}

const checkSubmission: ExtraCheck = (body) => [...checkAccept(body), ...checkTags(body)]

function created(reply: FastifyReply, answer: IdempotentResponse): FastifyReply {
  const { submission_id } = JSON.parse(answer.body) as { readonly submission_id: string }
  reply.header('location', `/v1/submissions/${submission_id}`)
  return sendStoredResponse(reply, answer)
}
