import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { checkCursor, cut, pageOf } from '../http/page-query.ts'
import { validateRequest } from '../http/validate-request.ts'
import { readEvents } from '../audit/audit-queries.ts'
import { AuditPageQuery } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import { namedEvents, peopleOf } from './audit-page.ts'
import { sessionOf } from './guard.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

/** The audit log with names, for its page. */
export function registerAuditPageRoutes(scope: FastifyInstance, { db }: ConsoleServices): void {
  scope.get<{ Querystring: Static<typeof AuditPageQuery> }>(
    '/audit',
    {
      schema: { querystring: AuditPageQuery, ...returns('AuditPage') },
      validatorCompiler: validateRequest({ querystring: checkCursor('audit') }),
    },
    async (request): Promise<ConsoleResponse<'AuditPage'>> => {
      const { workspaceId } = sessionOf(request)
      const { cursor: _, limit: __, ...filter } = request.query
      const page = pageOf('audit', request.query)
      const range = { ...filter, before: page.before, limit: page.limit + 1, order: 'desc' } as const
      const { shown, next } = cut(await readEvents(db, workspaceId, range), page)
      return { events: await namedEvents(db, workspaceId, shown), next_cursor: next }
    },
  )

  scope.get('/audit/people', { schema: returns('People') }, async (request) => ({
    people: await peopleOf(db, sessionOf(request).workspaceId),
  }))
}
