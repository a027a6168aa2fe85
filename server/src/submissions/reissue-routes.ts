import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { idempotencyKey, runOnce, sendStoredResponse, type StoredResponse } from '../http/idempotency.ts'
import { errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { Refusal } from '../refusals.ts'
import { findSubmission } from './find-submission.ts'
import { requestReissue } from './request-reissue.ts'
import { submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionQueries } from './submission-queries.ts'

const BODY_LIMIT_BYTES = 1024

/** POST /v1/submissions/{submission_id}/reissue. */
export function registerReissueRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
): void {
  app.route<{ Params: { readonly submission_id: string } }>({
    method: 'POST',
    url: '/v1/submissions/:submission_id/reissue',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: requireWorkspace,
    schema: {
      operationId: 'reissueKit',
      summary: 'Re-issue a kit whose signing key was revoked',
      description:
        'Creates a submission with the same evidence, whose kit is signed with the current key. `reports/reissue.json` in the new kit ' +
        'names the kit it replaces. The evidence is not checked again, and no credit is charged. 409 if the key is not revoked, ' +
        'the kit was re-issued already, or its evidence was deleted.',
      tags: ['Submissions'],
      params: Type.Object({
        submission_id: Type.String({ description: 'The submission whose kit is replaced.' }),
      }),
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and creates no second submission.',
      ),
      response: { 201: ref('Submission'), ...errors(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      rejectMembers(request)
      const { submission_id } = await findSubmission(submissions, request)
      const create = async (trx: Kysely<Database>): Promise<StoredResponse> => {
        ctx.queue.refuseWhenFull(caller.workspaceId)
        const { view, evidence } = await requestReissue(trx, ctx, submission_id, caller)
        const record = submissionRecord(view, evidence, timestamp(ctx.clock.now()))
        return { status: 201, body: JSON.stringify(record) }
      }
      const once = idempotencyKey(request, { submission_id })
      const answer =
        once === undefined
          ? { ...(await transact(ctx.db, create)), replayed: false }
          : await runOnce(ctx.db, ctx.clock, once, create)
      if (!answer.replayed) ctx.queue.added(caller.workspaceId)
      const made = JSON.parse(answer.body) as { readonly submission_id: string }
      reply.headers({
        location: `/v1/submissions/${made.submission_id}`,
        'retry-after': ctx.queue.retryAfter(caller.workspaceId),
      })
      return sendStoredResponse(reply, answer)
    },
  })
}

/** The request has no parameters, so that a body is empty or `{}`. */
function rejectMembers({ body }: FastifyRequest): void {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Refusal('body_not_an_object', 'The body must be empty or a JSON object.')
  const [name] = Object.keys(body)
  if (name !== undefined)
    throw new Refusal('body_invalid', `Unknown member ${JSON.stringify(name)}.`, { param: name })
}
