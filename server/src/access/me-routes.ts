import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../database/schema.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { planLimits } from '../settings/plan.ts'
import type { Me } from './access-schemas.ts'

/** GET /v1/me. */
export function registerMeRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  app.route({
    method: 'GET',
    url: '/v1/me',
    schema: {
      operationId: 'me',
      summary: 'Get who you are',
      description: 'The workspace, the API key or member, and what they may do. Any API key can ask.',
      response: { 200: ref('Me'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<Me> => {
      const caller = workspaceOf(request.caller)
      const { workspaceId, plan, session, scopes = null } = caller
      const workspace = await db
        .selectFrom('workspaces')
        .select('name')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      return {
        workspace_id: workspaceId,
        workspace_name: workspace.name,
        ...(await actorOf(db, caller)),
        role: session?.role ?? null,
        scopes,
        plan: { name: plan.name, ...planLimits(plan) },
        boundary: BOUNDARY,
      }
    },
  })
}

async function actorOf(
  db: Db,
  { actor, session }: WorkspaceCaller,
): Promise<Pick<Me, 'actor' | 'expires_at'>> {
  if (session !== undefined)
    return {
      actor: { type: 'member', id: session.memberId, name: session.email },
      expires_at: session.endsAt,
    }
  if (actor.is !== 'key') throw new Error(`this route is not for a caller that is a ${actor.is}`)
  const key = await db
    .selectFrom('api_keys')
    .select(['label', 'federation_id', 'expires_at'])
    .where('key_id', '=', actor.keyId)
    .executeTakeFirstOrThrow()
  return {
    actor: { type: key.federation_id === null ? 'key' : 'federation', id: actor.keyId, name: key.label },
    expires_at: key.expires_at,
  }
}
