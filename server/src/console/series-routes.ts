import type { FastifyInstance } from 'fastify'
import type { ConsoleServices } from './console-services.ts'
import { sessionOf } from './guard.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

const MAX_SERIES = 500

/** The series of the workspace, newest first. */
export function registerSeriesRoutes(scope: FastifyInstance, { db }: ConsoleServices): void {
  scope.get(
    '/series',
    { schema: returns('SeriesList') },
    async (request): Promise<ConsoleResponse<'SeriesList'>> => {
      const rows = await db
        .selectFrom('submissions')
        .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
        .select('submissions.series')
        .select(({ fn }) => [
          fn.count<number | string>('jobs.kit_id').as('kits'),
          fn.max('submissions.created_at').as('last_at'),
        ])
        .where('submissions.workspace_id', '=', sessionOf(request).workspaceId)
        .where('submissions.series', 'is not', null)
        .groupBy('submissions.series')
        .orderBy('last_at', 'desc')
        .limit(MAX_SERIES)
        .execute()
      return {
        series: rows.map(({ series, kits, last_at }) => {
          return { series: series ?? '', kits: Number(kits), last_at }
        }),
      }
    },
  )
}
