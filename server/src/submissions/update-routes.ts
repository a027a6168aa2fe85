import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Database, SubmissionsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { requireWorkspace, type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { SubmissionUpdate } from './submission-attributes.ts'
import { validateRequest } from '../http/validate-request.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { checkTags } from './check-tags.ts'
import { metadataText, tagsText } from './create-submission.ts'
import { findSubmission } from './find-submission.ts'
import { replaceTags } from './index-words.ts'
import { submissionRecord, type SubmissionView } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { readSubmission, type SubmissionQueries } from './submission-queries.ts'

const BODY_LIMIT_BYTES = 131_072

/** PATCH /v1/submissions/{submission_id}. */
export function registerUpdateRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
): void {
  app.route<{ Params: { readonly submission_id: string }; Body: SubmissionUpdate }>({
    method: 'PATCH',
    url: '/v1/submissions/:submission_id',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: requireWorkspace,
    validatorCompiler: validateRequest({ body: checkTags, named: { SubmissionUpdate } }),
    schema: {
      operationId: 'updateSubmission',
      summary: 'Change tags, metadata and external ID',
      description:
        'At any time, whatever the status: they are not part of the kit. `tags` and `metadata` are replaced as a whole. `external_id: null` removes it.',
      tags: ['Submissions'],
      params: Type.Object({ submission_id: Type.String() }),
      body: ref('SubmissionUpdate'),
      response: { 200: ref('Submission'), ...errors(400, 401, 403, 404, 413, 415, 429) },
    },
    handler: async (request) => {
      const caller = workspaceOf(request.caller)
      const found = await findSubmission(submissions, request)
      const now = timestamp(ctx.clock.now())
      return transact(ctx.db, async (trx) => {
        await update(trx, found, request.body, caller, now)
        const { view, evidence } = await readSubmission(trx, found.submission_id)
        return submissionRecord(view, evidence, now)
      })
    },
  })
}

async function update(
  trx: Kysely<Database>,
  submission: SubmissionView,
  { external_id, tags, metadata }: SubmissionUpdate,
  { workspaceId, actor }: WorkspaceCaller,
  at: string,
): Promise<void> {
  const changes: Partial<SubmissionsTable> = {
    ...(external_id === undefined ? {} : { external_id }),
    ...(tags === undefined ? {} : { tags: tagsText(tags) }),
    ...(metadata === undefined ? {} : { metadata: metadataText(metadata) }),
  }
  const changed = Object.entries(changes)
    .filter(([name, value]) => submission[name as keyof SubmissionsTable] !== value)
    .map(([name]) => name)
  if (changed.length === 0) return
  await trx
    .updateTable('submissions')
    .set({ ...changes, updated_at: at })
    .where('submission_id', '=', submission.submission_id)
    .execute()
  if (tags !== undefined) await replaceTags(trx, submission, tags)
  const event = {
    workspaceId,
    actor,
    action: 'submission.changed',
    subject: submission.submission_id,
  } as const
  await recordEvent(trx, { ...event, details: { changed: changed.join(' ') }, at })
}
