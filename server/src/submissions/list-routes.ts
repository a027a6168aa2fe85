import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/list.ts'
import { checkCursor, cursorOf, pageOf, PageQuery } from '../http/page-query.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { DateOrTime } from '../http/schema-parts.ts'
import { OneOf } from '../http/text-schemas.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import { DEFAULT_SORT, listOf, SORTS } from './find-submissions.ts'
import { searchSubmissions, summary } from './search-submissions.ts'
import { SUBMISSION_STATUSES } from './statuses.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionList } from './summary-schemas.ts'

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

const LIST_FILTERS = {
  q: Text('Words of label, file names or tags, or the ID of a submission, job or kit.'),
  label: Text(
    'Only labels with these words. The start of a word is enough: `acc rev` finds "Access review".',
  ),
  path: Text(
    'Only submissions with a file of this name, in an archive too. The start of a word is enough: `payroll` finds `hr/2026-Payroll.xlsx`.',
  ),
  series: Text('Only this series.'),
  tag: Text('Only submissions with this tag.'),
  external_id: Text('Only this external ID.'),
  created_after: Type.Optional(DateOrTime('Only submissions created at this time or later.')),
  created_before: Type.Optional(DateOrTime('Only submissions created before this time.')),
  sort: Type.Optional(
    OneOf(SORTS, 'The order. A minus sign reverses it. Newest first is `-created_at`, the default.'),
  ),
}

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(OneOf(SUBMISSION_STATUSES)),
    ...LIST_FILTERS,
  },
  { additionalProperties: false },
)
type ListQuery = Static<typeof ListQuery>

/** A cursor belongs to one order. */
const checkListCursor: ExtraCheck = (query) => {
  const sort = SORTS.find((one) => one === query['sort'])
  return checkCursor(listOf(sort))(query)
}

/** GET /v1/submissions. */
export function registerListRoutes(
  app: FastifyInstance,
  { db, clock }: Pick<SubmissionContext, 'db' | 'clock'>,
): void {
  app.route<{ Querystring: ListQuery }>({
    method: 'GET',
    url: '/v1/submissions',
    onRequest: requireWorkspace,
    validatorCompiler: validateRequest({ querystring: checkListCursor }),
    schema: {
      operationId: 'listSubmissions',
      summary: 'List and search submissions',
      description:
        'Newest first, unless `sort` says otherwise. Filters can be combined. A page can have fewer entries than `limit` if few of many submissions match. If `next_cursor` is not null, there are more.',
      tags: ['Submissions'],
      querystring: ListQuery,
      response: { 200: ref('SubmissionList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<SubmissionList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { cursor, limit: _, sort = DEFAULT_SORT, q: text, ...filters } = request.query
      const list = listOf(sort)
      const { before, limit } = pageOf(list, request.query)
      const now = timestamp(clock.now())
      const after = cursor === undefined ? undefined : before
      const { rows, next } = await searchSubmissions(
        db,
        workspaceId,
        { text, filters, sort, after, limit },
        now,
      )
      return listResponse(
        rows.map((row) => summary(row, now)),
        next === undefined ? null : cursorOf(list, next),
      )
    },
  })
}
