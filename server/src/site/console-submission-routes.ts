import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type StoredResponse, runOnce, idempotencyKey } from '../http/idempotency.ts'
import { cursorOf, pageOf } from '../http/page-query.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { readDocument } from '../kits/kit-documents.ts'
import { BINDER_PATH } from '../kits/binder-file.ts'
import { wholeFile } from '../kits/kit-routes.ts'
import { Refusal } from '../refusals.ts'
import { deleteSubmission } from '../submissions/delete-submission.ts'
import { requireProfile } from '../submissions/find-profile.ts'
import { findSubmission } from '../submissions/find-submission.ts'
import { requestOfSubmission } from '../sharing/request-queries.ts'
import { keptFiles, resubmit } from '../submissions/resubmit.ts'
import { DEFAULT_SORT, listOf } from '../submissions/find-submissions.ts'
import { checkListCursor } from '../submissions/list-routes.ts'
import { acceptOf, attributesOf } from '../submissions/submission.ts'
import { checkAccept } from '../submissions/submission-routes.ts'
import { submissionQueries } from '../submissions/submission-queries.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { ConsoleServices } from './console-services.ts'
import { ResubmitBody, SearchQuery } from './console-schemas.ts'
import { sessionOf } from './guard.ts'
import { overview } from './overview.ts'
import { permissionsOf } from '../access/permissions.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import { revocations } from './revocations.ts'
import { type Search, searchSubmissions, summary } from './search-submissions.ts'
import { submissionDetail } from './submission-detail.ts'
import type { SubmissionFilters } from '../submissions/submission-filters.ts'

/** Only the console may frame the binder. */
const BINDER_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
  'content-disposition': 'inline; filename="binder.pdf"',
}

type OfSubmission = { Params: { readonly submission_id: string } }

/** Search, details, binder and resubmission. Other submission routes are shared with the API. */
export function registerConsoleSubmissionRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, kits } = services
  const submissions = submissionQueries(db)
  const now = (): string => timestamp(services.clock.now())

  const search = {
    schema: { querystring: SearchQuery, ...returns('SubmissionSummaries') },
    validatorCompiler: validateRequest({ querystring: checkListCursor }),
  }
  scope.get<{ Querystring: SearchQuery }>(
    '/submissions',
    search,
    async (request): Promise<ConsoleResponse<'SubmissionSummaries'>> => {
      const { workspaceId } = sessionOf(request)
      const list = listOf(request.query.sort)
      const found = await searchSubmissions(db, workspaceId, searchOf(request.query), now())
      return {
        submissions: found.rows.map((row) => summary(row, now())),
        next_cursor: found.next === undefined ? null : cursorOf(list, found.next),
      }
    },
  )

  scope.get<OfSubmission>(
    '/submissions/:submission_id',
    { schema: returns('SubmissionDetail') },
    async (request) => {
      const view = await findSubmission(submissions, request)
      return submissionDetail(db, { view, evidence: await submissions.evidenceOf(view.submission_id) }, now())
    },
  )

  scope.get('/overview', { schema: returns('Overview') }, (request) => {
    const { workspaceId, role, caller } = sessionOf(request)
    const withKeys = permissionsOf(role).includes('keys')
    return overview(db, services.clock, { workspaceId, retentionDays: caller.plan.retentionDays, withKeys })
  })

  // Deleting issued evidence needs `custody`; who may submit may also give up.
  scope.delete<OfSubmission>('/drafts/:submission_id', async (request, reply) => {
    const view = await findSubmission(submissions, request)
    if (view.job_status !== 'DRAFT' && view.job_status !== 'EXPIRED')
      throw new Refusal('submission_sealed', 'The submission is not a draft anymore.')
    await deleteSubmission(services, view, sessionOf(request).caller)
    return reply.code(204).send()
  })

  scope.get('/revocations', { schema: returns('Revocations') }, (request) =>
    revocations(db, sessionOf(request).workspaceId),
  )

  scope.get<OfSubmission>('/submissions/:submission_id/binder', async (request, reply) => {
    const view = await findSubmission(submissions, request)
    const kit = view.kit_id === null ? undefined : await kits.find(view.kit_id)
    if (kit === undefined || !kit.entries.some(({ path }) => path === BINDER_PATH))
      throw new Refusal('deliverable_not_found', 'This submission has no binder yet.')
    const bytes = await readDocument(services.objects, kit, BINDER_PATH)
    if (request.method === 'GET') await services.downloads.record(request, wholeFile(kit, BINDER_PATH, bytes))
    return reply.headers(BINDER_HEADERS).type('application/pdf').send(bytes)
  })

  scope.post<OfSubmission & { Body: ResubmitBody }>(
    '/submissions/:submission_id/resubmit',
    { schema: { body: ResubmitBody, ...returns('SubmissionDetail', 201) } },
    async (request, reply) => {
      const { caller } = sessionOf(request)
      const failed = await findSubmission(submissions, request)
      await rejectRound(db, failed.submission_id)
      const { body } = request
      const keep = [...new Set(body.keep)]
      const asked = {
        label: body.label ?? failed.label,
        profile: body.profile ?? failed.profile,
        accept: body.accept ?? acceptOf(failed),
        attributes: attributesOf(failed),
      }
      await requireProfile(db, services.profiles, caller.workspaceId, asked.profile)
      for (const problem of checkAccept(asked)) throw new Refusal('body_invalid', `${problem}.`)
      const kept = await keptFiles(services, failed, keep)
      const create = async (trx: Kysely<Database>): Promise<StoredResponse> => {
        const found = await resubmit(trx, services, failed, kept, asked, caller)
        return { status: 201, body: JSON.stringify(await submissionDetail(trx, found, now())) }
      }
      const once = idempotencyKey(request, { of: failed.submission_id, body: body as JsonValue })
      const objects = kept.map(({ sha256 }) => sha256)
      const answer = await referenceObjects(db, objects, () =>
        once === undefined ? transact(db, create) : runOnce(db, services.clock, once, create),
      )
      return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body)
    },
  )
}

/** The kit would name the workspace as the supplier of files that someone else sent. */
async function rejectRound(db: Kysely<Database>, id: SubmissionId): Promise<void> {
  if ((await requestOfSubmission(db, id)) !== undefined)
    throw new Refusal(
      'submission_of_request',
      'These files were sent for a request. The supplier corrects them with the link of the request.',
    )
}

const MAX_SEARCH_LENGTH = 200

/** An empty parameter is the same as none. */
function searchOf(query: SearchQuery): Search {
  const given = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== ''
        ? [[name, value.trim().slice(0, MAX_SEARCH_LENGTH)]]
        : [],
    ),
  ) as Partial<Record<keyof SearchQuery, string>>
  const { q, label, sort: _sort, cursor, limit: _limit, ...filters } = given
  const page = pageOf(listOf(query.sort), query)
  return {
    text: q,
    label,
    filters: filters as SubmissionFilters,
    sort: query.sort ?? DEFAULT_SORT,
    after: cursor === undefined ? undefined : page.before,
    limit: page.limit,
  }
}
