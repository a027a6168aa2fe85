import { BOUNDARY } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { checkCursor, cut, nextCursor, pageOf, PageQuery } from '../http/page-query.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { OneOf } from '../http/text-schemas.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import { DEFAULT_SORT, findSubmissions, listOf, type Sort, SORTS } from './find-submissions.ts'
import { findingsOf, submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { Submission, SubmissionList } from './submission-schemas.ts'
import { type SubmissionQueries, viewsOf } from './submission-queries.ts'

/** Limits the size of a page: a hundred submissions can have ten thousand files each. */
const MAX_FILES_PER_PAGE = 10_000

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const Instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const LIST_FILTERS = {
  label: Text(
    'Only labels with these words. The start of a word is enough: `acc rev` finds "Access review".',
  ),
  path: Text(
    'Only submissions with a file of this name, in an archive too. The start of a word is enough: `payroll` finds `hr/2026-Payroll.xlsx`.',
  ),
  series: Text('Only this series.'),
  tag: Text('Only submissions with this tag.'),
  external_id: Text('Only this external ID.'),
  created_after: Instant('Only submissions created at this time or later.'),
  created_before: Instant('Only submissions created before this time.'),
  sort: Type.Optional(
    OneOf(SORTS, 'The order. A minus sign reverses it. Newest first is `-created_at`, the default.'),
  ),
}

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(OneOf(['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'])),
    ...LIST_FILTERS,
  },
  { additionalProperties: false },
)
type ListQuery = Static<typeof ListQuery>

/** A cursor belongs to one order. */
export const checkListCursor: ExtraCheck = (query) => {
  const sort = SORTS.find((one) => one === query['sort'])
  return checkCursor(listOf(sort))(query)
}

/** GET /v1/submissions. */
export function registerListRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
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
        'Newest first, unless `sort` says otherwise. Filters can be combined. A page can have fewer entries than `limit` if the submissions have many files, or if few of many submissions match. If `next_cursor` is not null, there are more.',
      tags: ['Submissions'],
      querystring: ListQuery,
      response: { 200: ref('SubmissionList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<SubmissionList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { cursor, limit: _, sort = DEFAULT_SORT, ...filters } = request.query
      const now = timestamp(ctx.clock.now())
      const page = pageOf(listOf(sort), request.query)
      const isPlain = sort === DEFAULT_SORT && Object.keys(filters).length === 0
      const found = isPlain ? undefined : await filtered(sort, cursor === undefined ? undefined : page.before)
      const rows = found?.rows ?? (await submissions.list(workspaceId, page.before, page.limit + 1))
      const { shown, next: nextRow } = cut(rows, page)
      // The scan may end before the page is full.
      const next = nextRow ?? (found?.next === undefined ? null : nextCursor(page, { sequence: found.next }))
      const records: Submission[] = []
      let files = 0
      for (const view of shown) {
        const evidence = await submissions.evidenceOf(view.submission_id)
        files += evidence.length + findingsOf(view).length
        const before = shown[records.length - 1]
        if (before !== undefined && files > MAX_FILES_PER_PAGE)
          return { submissions: records, next_cursor: nextCursor(page, before), boundary: BOUNDARY }
        records.push(submissionRecord(view, evidence, now))
      }
      return { submissions: records, next_cursor: next, boundary: BOUNDARY }

      async function filtered(by: Sort, after: number | undefined) {
        const find = { workspaceId, filters, sort: by, after, limit: page.limit + 1, now }
        const { sequences, next: end } = await findSubmissions(ctx.db, find)
        return { rows: await viewsOf(ctx.db, workspaceId, sequences), next: end }
      }
    },
  })
}
