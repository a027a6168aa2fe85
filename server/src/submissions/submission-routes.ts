import { BOUNDARY, type JsonValue } from '@kitseal/kit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../clock.ts'
import type { Context } from '../context.ts'
import { transact } from '../database/transact.ts'
import { onlyWorkspaces, workspaceOf } from '../http/caller.ts'
import { type Answer, answerOnce, type GivenAnswer, onceKey, sendAnswer } from '../http/idempotency.ts'
import { checkCursor, cut, nextCursor, pageOf, PageQuery } from '../http/page-query.ts'
import { errors, onceHeader } from '../http/route-schemas.ts'
import { ref } from '../http/schemas.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import type { Submission, SubmissionList, SubmissionRequest } from '../http/workspace-schemas.ts'
import { createSubmission } from './create-submission.ts'
import { registerDeliverableRoutes } from './deliverable-routes.ts'
import { registerEvidenceRoutes } from './evidence-routes.ts'
import { ownSubmission, RETRY_AFTER_SECONDS } from './own-submission.ts'
import { submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { submissionQueries } from './submission-queries.ts'

const BODY_LIMIT_BYTES = 16_384
/** One answer is made at a time, and a hundred submissions may have ten thousand files each: everybody would wait. */
const FILES_IN_PAGE = 10_000
const Params = Type.Object({ submission_id: Type.String({ description: 'As answered by the creation.' }) })

/** The key-authenticated surface: submissions, their evidence and their deliverables. */
export function registerSubmissionRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const submissions = submissionQueries(ctx.db)
  const now = (): string => timestamp(ctx.clock.now())

  app.route<{ Body: SubmissionRequest }>({
    method: 'POST',
    url: '/v1/submissions',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: onlyWorkspaces,
    schema: {
      operationId: 'createSubmission',
      summary: 'Create a submission',
      description: 'It is PENDING until its evidence is uploaded.',
      tags: ['Submissions'],
      headers: onceHeader('Repeats of one key within 24 hours create one submission.'),
      body: ref('SubmissionRequest'),
      response: { 201: ref('Submission'), ...errors(400, 401, 403, 404, 409, 413, 415, 429, 503) },
    },
    validatorCompiler: validateRequest({ body: checkProfile(ctx.profiles) }),
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const once = onceKey(request, request.body as JsonValue)
      const create = async (trx: Context['db']): Promise<Answer> => {
        const { view, evidence } = await createSubmission(trx, ctx, request.body, caller)
        return { status: 201, body: JSON.stringify(submissionRecord(view, evidence, now())) }
      }
      const answer =
        once === undefined
          ? { ...(await transact(ctx.db, create)), replayed: false }
          : await answerOnce(ctx.db, ctx.clock, once, create)
      return created(reply, answer)
    },
  })

  app.route<{ Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/submissions',
    onRequest: onlyWorkspaces,
    validatorCompiler: validateRequest({ querystring: checkCursor('submissions') }),
    schema: {
      operationId: 'listSubmissions',
      summary: 'List submissions, newest first',
      description:
        'A page ends before `limit` where its submissions have very many files; `next_cursor` tells whether there are more.',
      tags: ['Submissions'],
      querystring: PageQuery,
      response: { 200: ref('SubmissionList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<SubmissionList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const page = pageOf('submissions', request.query)
      const { shown, next } = cut(await submissions.list(workspaceId, page.before, page.limit + 1), page)
      const records: Submission[] = []
      let files = 0
      for (const view of shown) {
        const evidence = await submissions.evidenceOf(view.submission_id)
        files += evidence.length
        const before = shown[records.length - 1]
        if (before !== undefined && files > FILES_IN_PAGE)
          return { submissions: records, next_cursor: nextCursor(page, before), boundary: BOUNDARY }
        records.push(submissionRecord(view, evidence, now()))
      }
      return { submissions: records, next_cursor: next, boundary: BOUNDARY }
    },
  })

  app.route<{ Params: { readonly submission_id: string } }>({
    method: 'GET',
    url: '/v1/submissions/:submission_id',
    schema: {
      operationId: 'getSubmission',
      summary: 'Poll a submission',
      description:
        'PENDING, RUNNING, PASS or FAIL. While it is not final, `Retry-After` says when to ask again.',
      tags: ['Submissions'],
      params: Params,
      response: { 200: ref('Submission'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply): Promise<Submission> => {
      const view = await ownSubmission(submissions, request)
      const record = submissionRecord(view, await submissions.evidenceOf(view.submission_id), now())
      const retryAfter = RETRY_AFTER_SECONDS[record.status]
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      return record
    },
  })

  registerEvidenceRoutes(app, ctx, submissions)
  registerDeliverableRoutes(app, ctx, submissions)
}

export const checkProfile =
  (profiles: ReadonlySet<string>): ExtraCheck =>
  ({ profile }) =>
    typeof profile !== 'string' || profiles.has(profile)
      ? []
      : [`profile must be one of ${[...profiles].toSorted().join(', ')}`]

function created(reply: FastifyReply, answer: GivenAnswer): FastifyReply {
  const { submission_id } = JSON.parse(answer.body) as { readonly submission_id: string }
  reply.header('location', `/v1/submissions/${submission_id}`)
  return sendAnswer(reply, answer)
}
