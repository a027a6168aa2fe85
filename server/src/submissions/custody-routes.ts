import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { requireFullAccess } from '../access/may-call.ts'
import { timestamp } from '../runtime/clock.ts'
import { transact } from '../database/transact.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { deleted, errors, ref } from '../http/route-schemas.ts'
import { LABEL } from '../http/text-schemas.ts'
import { lockEvidence } from '../kits/lock-evidence.ts'
import { deleteSubmission } from './delete-submission.ts'
import { findSubmission } from './find-submission.ts'
import { placeHold, releaseHold } from './holds.ts'
import { submissionRecord, type SubmissionView } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { Submission } from './submission-schemas.ts'
import { readSubmission, type SubmissionQueries } from './submission-queries.ts'

const BODY_LIMIT_BYTES = 4096
const Params = Type.Object({ submission_id: Type.String() })
const HoldBody = Type.Object(
  { reason: Type.String({ ...LABEL, description: 'One line of text, such as the name of the case.' }) },
  { additionalProperties: false },
)
type OfSubmission = { Params: { readonly submission_id: string } }

/** Legal hold and deletion. */
export function registerCustodyRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
): void {
  app.route<OfSubmission & { Body: Static<typeof HoldBody> }>({
    method: 'PUT',
    url: '/v1/submissions/:submission_id/hold',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: requireWorkspace,
    schema: {
      operationId: 'placeHold',
      summary: 'Place a legal hold',
      description:
        'While the hold is in place, the evidence is kept: retention does not expire it, and nobody can delete it. A second call changes the reason. 409 if the evidence is already gone. 503 if the object store could not lock the files yet: the hold is in place, and the files are locked later or by a second call.',
      tags: ['Submissions'],
      params: Params,
      body: HoldBody,
      response: { 200: ref('Submission'), ...errors(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    handler: async (request): Promise<Submission> => {
      const caller = workspaceOf(request.caller)
      const view = await findSubmission(submissions, request)
      await transact(ctx.db, (trx) => placeHold(trx, ctx.clock, view, request.body.reason, caller))
      await lockEvidence(ctx, view.submission_id)
      const held = await readSubmission(ctx.db, view.submission_id)
      return submissionRecord(held.view, held.evidence, timestamp(ctx.clock.now()))
    },
  })

  app.route<OfSubmission>({
    method: 'DELETE',
    url: '/v1/submissions/:submission_id/hold',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'releaseHold',
      summary: 'Release a legal hold',
      description: 'Retention and deletion apply again. Without a hold, nothing happens.',
      tags: ['Submissions'],
      params: Params,
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const view = await findSubmission(submissions, request)
      await transact(ctx.db, (trx) => releaseHold(trx, ctx.clock, view, caller))
      return reply.code(204).send()
    },
  })

  app.route<OfSubmission>({
    method: 'DELETE',
    url: '/v1/submissions/:submission_id',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'deleteSubmission',
      summary: 'Delete the evidence of a submission',
      description:
        'The submission becomes EXPIRED, and its evidence is deleted within the hour. Manifest, receipt and log proof of an issued kit stay, and a signed erasure record says what was deleted. 409 under a legal hold, or while the submission is processed. Repeating it changes nothing. A draft needs only the scope `submit`.',
      tags: ['Submissions'],
      params: Params,
      response: { ...deleted, ...errors(401, 403, 404, 409, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const view = await findSubmission(submissions, request)
      if (view.job_status !== 'DRAFT' && !isGivenUp(view)) requireFullAccess(request)
      await deleteSubmission(ctx, view, caller)
      return reply.code(204).send()
    },
  })
}

/** A draft that was deleted, or that expired. */
const isGivenUp = ({ job_status, kit_id }: SubmissionView): boolean =>
  job_status === 'EXPIRED' && kit_id === null
