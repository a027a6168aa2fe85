import { BOUNDARY } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import { isAllowed } from '../access/may-call.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/list.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { overview } from './overview.ts'
import { revocations } from './revocations.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { Overview, RevocationList } from './summary-schemas.ts'

/** GET /v1/overview and /v1/revocations. */
export function registerOverviewRoutes(
  app: FastifyInstance,
  { db, clock }: Pick<SubmissionContext, 'db' | 'clock'>,
): void {
  app.route({
    method: 'GET',
    url: '/v1/overview',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'getOverview',
      summary: 'Get what needs attention',
      description:
        'Failed submissions, what is due or expires soon, and what was issued in the last twelve months.',
      tags: ['Workspace'],
      response: { 200: ref('Overview'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<Overview> => {
      const { workspaceId, plan } = workspaceOf(request.caller)
      const withKeys = isAllowed(request.caller, 'GET /v1/keys')
      const found = await overview(db, clock, { workspaceId, retentionDays: plan.retentionDays, withKeys })
      return { ...found, boundary: BOUNDARY }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/revocations',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'getRevocations',
      summary: 'Get kits whose signing key was revoked',
      description: 'They no longer verify. Re-issue each submission.',
      tags: ['Submissions'],
      response: { 200: ref('RevocationList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<RevocationList> =>
      listResponse(await revocations(db, workspaceOf(request.caller).workspaceId)),
  })
}
