import type { FastifyInstance } from 'fastify'
import { timestamp } from '../runtime/clock.ts'
import { workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/page-query.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { type TrustedIssuers, TrustedIssuersBody } from './access-schemas.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { pinsOf, readPins } from './pins.ts'
import { workspaces } from './workspaces.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

export type TrustContext = Parameters<typeof workspaces>[0]

/** GET and PUT /v1/trust: the keys that kits in the evidence of a workspace are verified with. */
export function registerTrustRoutes(app: FastifyInstance, ctx: TrustContext): void {
  const { db, clock } = ctx
  const current = async (workspaceId: WorkspaceId): Promise<TrustedIssuers> => {
    const row = await db
      .selectFrom('workspaces')
      .select('pins')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    return listResponse([...pinsOf(row)] as TrustedIssuers['data'])
  }

  app.route({
    method: 'GET',
    url: '/v1/trust',
    schema: {
      operationId: 'getTrust',
      summary: 'Get the pinned issuers',
      description:
        'Kits among the evidence are verified with the keys of this service and with these. The result is a finding.',
      response: { 200: ref('TrustedIssuers'), ...errors(401, 403, 429) },
    },
    handler: (request) => current(workspaceOf(request.caller).workspaceId),
  })

  app.route<{ Body: TrustedIssuersBody }>({
    method: 'PUT',
    url: '/v1/trust',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'setTrust',
      summary: 'Replace the pinned issuers',
      description:
        'Each pin is a key of an issuer, by its ID. The `pins` of a trust store that `kitseal trust` wrote can be sent as `data`.',
      body: TrustedIssuersBody,
      response: { 200: ref('TrustedIssuers'), ...errors(400, 401, 403, 413, 415, 429) },
    },
    handler: async (request) => {
      const { workspaceId, actor } = workspaceOf(request.caller)
      const pins = readPins(request.body.data, timestamp(clock.now()))
      await workspaces(ctx).update(workspaceId, { pins }, actor)
      return current(workspaceId)
    },
  })
}
