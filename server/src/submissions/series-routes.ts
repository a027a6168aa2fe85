import { BOUNDARY, compareKits, type Receipt } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { checkCursor, listPage, type Page, PageQuery } from '../http/page-query.ts'
import { errors, ref, Closed } from '../http/schema-parts.ts'
import type { KitDifferences, SeriesList, SeriesTimeline } from './series-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import { isKitId } from '../runtime/identifiers.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { listSeries, nextAfter, readSeries } from './series-queries.ts'
import type { SubmissionContext } from './submission-context.ts'

const Params = Type.Object({ series: Type.String({ description: 'Its name, percent-encoded.' }) })
const CompareQuery = Closed({
  from: Type.String({ description: 'The ID of the older kit.' }),
  to: Type.String({ description: 'The ID of the newer kit.' }),
})

/** GET /v1/series, GET /v1/series/{series} and GET /v1/compare. */
export function registerSeriesRoutes(
  app: FastifyInstance,
  { db, kits }: Pick<SubmissionContext, 'db' | 'kits'>,
): void {
  app.route<{ Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/series',
    validatorCompiler: validateRequest({ querystring: checkCursor('series') }),
    schema: {
      operationId: 'listSeries',
      summary: 'List series, newest first',
      description: 'A series is named by its submissions and requests, such as "Access review".',
      querystring: PageQuery,
      response: { 200: ref('SeriesList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<SeriesList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const read = (bounds: Omit<Page, 'list'>) => listSeries(db, workspaceId, bounds)
      return listPage('series', request.query, read, ({ series, kits: count, last_at }) => ({
        series,
        kits: count,
        last_at,
      }))
    },
  })

  app.route<{ Params: { readonly series: string }; Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/series/:series',
    validatorCompiler: validateRequest({ querystring: checkCursor('kits of a series') }),
    schema: {
      operationId: 'getSeries',
      summary: 'Get the timeline of a series',
      description: 'The kits of a series, newest first. `gap_days` says where one may be missing.',
      params: Params,
      querystring: PageQuery,
      response: { 200: ref('SeriesTimeline'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<SeriesTimeline> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { series } = request.params
      const all = await readSeries(db, workspaceId, series)
      if (all === undefined) throw new Refusal('series_not_found', 'Series not found in this workspace.')
      const page = await listPage(
        'kits of a series',
        request.query,
        ({ before }) => all.filter(({ sequence }) => sequence < before),
        ({ kit_id, submission_id, label, issued_at, previous_kit_id, gap_days }) => {
          return { kit_id, submission_id, label, issued_at, previous_kit_id, gap_days }
        },
      )
      const next_due_at = nextAfter(all.map(({ issued_at }) => issued_at)) ?? null
      return { series, next_due_at, ...page }
    },
  })

  app.route<{ Querystring: Static<typeof CompareQuery> }>({
    method: 'GET',
    url: '/v1/compare',
    schema: {
      operationId: 'compareKits',
      summary: 'Compare two kits',
      description:
        'Which evidence was added, removed, changed or moved between any two kits of the workspace.',
      querystring: CompareQuery,
      response: { 200: ref('KitDifferences'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<KitDifferences> => {
      const caller = workspaceOf(request.caller)
      const [from, to] = [await own(caller, request.query, 'from'), await own(caller, request.query, 'to')]
      const { added, removed, changed, moved, unchanged } = compareKits(manifestOf(from), manifestOf(to))
      return {
        from: headingOf(from),
        to: headingOf(to),
        added: [...added],
        removed: [...removed],
        changed: [...changed],
        moved: [...moved],
        unchanged,
        boundary: BOUNDARY,
      }
    },
  })

  async function own(
    { workspaceId }: WorkspaceCaller,
    query: Static<typeof CompareQuery>,
    param: 'from' | 'to',
  ): Promise<KitRecord> {
    const id = query[param]
    const kit = isKitId(id) ? await kits.find(id) : undefined
    if (kit?.workspaceId !== workspaceId)
      throw new Refusal('kit_not_found', 'Kit not found in this workspace.', { param })
    return kit
  }
}

const manifestOf = ({ entries }: KitRecord) => ({
  artifacts: entries.map(({ path, sha256, sizeBytes }) => ({ path, sha256, size_bytes: sizeBytes })),
})

const headingOf = ({ kitId, receipt, issuedAt }: KitRecord) => ({
  kit_id: kitId,
  label: (JSON.parse(receipt) as Receipt).scope,
  issued_at: issuedAt,
})
