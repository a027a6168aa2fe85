import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import { workspaceOf } from '../http/caller.ts'
import { idempotencyKey, runOnce } from '../http/idempotency.ts'
import { idempotencyHeader, ref } from '../http/schema-parts.ts'
import { validateRequest } from '../http/validate-request.ts'
import { accepting } from '../objects/accepted-objects.ts'
import { checkAccept } from './check-body.ts'
import { requireProfile } from './profiles.ts'
import { created, findSubmission, sendCreated } from './submission-queries.ts'
import { keptFiles, resubmit, takeOverFiles } from './take-over-files.ts'
import { acceptOf, attributesOf, confirmedIn, statedIn } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { Resubmission } from './submission-schemas.ts'
import { rejectPart } from './submission-refusals.ts'

/** POST /v1/submissions/{submission_id}/resubmit. */
export function registerResubmitRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const { db, clock } = ctx
  app.route<{ Params: { readonly submission_id: string }; Body: Resubmission }>({
    method: 'POST',
    url: '/v1/submissions/:submission_id/resubmit',
    validatorCompiler: validateRequest({ body: checkAccept, named: { Resubmission } }),
    schema: {
      operationId: 'resubmit',
      summary: 'Resubmit a failed submission',
      description:
        'Creates a draft with files of a failed submission, which are not uploaded again. Add the corrected files and submit it. 409 if the submission has not failed, or it belongs to a request or a period.',
      params: Type.Object({ submission_id: Type.String({ description: 'The submission that failed.' }) }),
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and creates no second submission.',
      ),
      body: ref('Resubmission'),
      response: { 201: ref('Submission') },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const failed = await findSubmission(ctx, request)
      rejectPart(failed, ['request', 'period'])
      const { body } = request
      const asked = {
        label: body.label ?? failed.label,
        profile: body.profile ?? failed.profile,
        accept: body.accept ?? acceptOf(failed),
        confirm: body.confirm ?? confirmedIn(failed),
        attributes: attributesOf(failed),
        provenance: statedIn(failed),
      }
      await requireProfile(db, ctx.profiles, caller.workspaceId, asked.profile)
      const kept = await keptFiles(ctx, failed, [...new Set(body.keep)])
      const taken = await takeOverFiles(ctx, kept)
      const create = async (trx: Db) => created(ctx, await resubmit(trx, ctx, failed, taken, asked, caller))
      const once = idempotencyKey(request, { of: failed.submission_id, body: body as JsonValue })
      const run = () => runOnce(db, clock, once, create)
      const answer = await accepting(ctx.objects, taken.objects, run, ({ replayed }) => !replayed)
      return sendCreated(reply, answer)
    },
  })
}
