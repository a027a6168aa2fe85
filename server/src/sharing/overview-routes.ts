import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { KEY_ACCESS } from '../access/key-routes.ts'
import { isAllowed } from '../access/may-call.ts'
import { workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import type { Overview } from '../submissions/summary-schemas.ts'
import { overview } from './overview.ts'
import type { RequestContext } from './request-context.ts'

/** GET /v1/overview. */
export function registerOverviewRoutes(
  app: FastifyInstance,
  { db, clock }: Pick<RequestContext, 'db' | 'clock'>,
): void {
  app.route({
    method: 'GET',
    url: '/v1/overview',
    schema: {
      operationId: 'getOverview',
      summary: 'Get what waits for a person',
      description:
        'Items of periods that the signed-in member owns, answers to review, items that were sent back, what is due, failed submissions, drafts with files, mail that was not sent, ' +
        'and what expires soon.',
      response: { 200: ref('Overview'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<Overview> => {
      const { workspaceId, plan, session } = workspaceOf(request.caller)
      const isOwner = isAllowed(request.caller, KEY_ACCESS)
      const found = await overview(db, clock, {
        workspaceId,
        retentionDays: plan.retentionDays,
        isOwner,
        memberId: session?.memberId,
      })
      return { ...found, boundary: BOUNDARY }
    },
  })
}
