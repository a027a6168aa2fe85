import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { idempotencyKey, runOnce, sendStoredResponse, type StoredResponse } from '../http/idempotency.ts'
import { errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { checkAccept } from './check-accept.ts'
import { requireProfile } from './find-profile.ts'
import { findSubmission } from './find-submission.ts'
import { keptFiles, resubmit } from './resubmit.ts'
import { acceptOf, attributesOf, submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionQueries } from './submission-queries.ts'
import { Resubmission } from './summary-schemas.ts'

/** POST /v1/submissions/{submission_id}/resubmit. */
export function registerResubmitRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
): void {
  const { db, clock } = ctx
  app.route<{ Params: { readonly submission_id: string }; Body: Resubmission }>({
    method: 'POST',
    url: '/v1/submissions/:submission_id/resubmit',
    onRequest: requireWorkspace,
    validatorCompiler: validateRequest({ body: checkAccept, named: { Resubmission } }),
    schema: {
      operationId: 'resubmit',
      summary: 'Resubmit a failed submission',
      description:
        'Creates a draft with files of a failed submission, which are not uploaded again. Add the corrected files and submit it. 409 if the submission has not failed, or its files were sent for a request.',
      tags: ['Submissions'],
      params: Type.Object({ submission_id: Type.String({ description: 'The submission that failed.' }) }),
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and creates no second submission.',
      ),
      body: ref('Resubmission'),
      response: { 201: ref('Submission'), ...errors(400, 401, 403, 404, 409, 410, 413, 415, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const failed = await findSubmission(submissions, request)
      await rejectRound(db, failed.submission_id)
      const { body } = request
      const asked = {
        label: body.label ?? failed.label,
        profile: body.profile ?? failed.profile,
        accept: body.accept ?? acceptOf(failed),
        attributes: attributesOf(failed),
      }
      await requireProfile(db, ctx.profiles, caller.workspaceId, asked.profile)
      const kept = await keptFiles(ctx, failed, [...new Set(body.keep)])
      const create = async (trx: Kysely<Database>): Promise<StoredResponse> => {
        const { view, evidence } = await resubmit(trx, ctx, failed, kept, asked, caller)
        const record = submissionRecord(view, evidence, timestamp(clock.now()))
        return { status: 201, body: JSON.stringify(record) }
      }
      const once = idempotencyKey(request, { of: failed.submission_id, body: body as JsonValue })
      const objects = kept.map(({ sha256 }) => sha256)
      const answer = await referenceObjects(db, objects, async () =>
        once === undefined
          ? { ...(await transact(db, create)), replayed: false }
          : runOnce(db, clock, once, create),
      )
      const made = JSON.parse(answer.body) as { readonly submission_id: string }
      reply.header('location', `/v1/submissions/${made.submission_id}`)
      return sendStoredResponse(reply, answer)
    },
  })
}

/** The kit would name the workspace as the supplier of files that someone else sent. */
async function rejectRound(db: Kysely<Database>, id: SubmissionId): Promise<void> {
  const round = await db
    .selectFrom('request_rounds')
    .select('request_id')
    .where('submission_id', '=', id)
    .executeTakeFirst()
  if (round !== undefined)
    throw new Refusal(
      'submission_of_request',
      'These files were sent for a request. The supplier corrects them with the link of the request.',
    )
}
