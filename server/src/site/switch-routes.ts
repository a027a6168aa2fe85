// docs/decisions/0422
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals.ts'
import { SwitchBody } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import { sessionOf } from '../access/resolve-session.ts'
import { membershipsOf } from '../access/member-queries.ts'
import { returns } from './response-schemas.ts'
import { signIn } from './sign-in-routes.ts'

/** Continues a session in another workspace of the same person. */
export function registerSwitchRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const options = { schema: { body: SwitchBody, ...returns('Me') } }
  scope.post<{ Body: SwitchBody }>('/switch', options, (request, reply) => {
    const session = sessionOf(request)
    return signIn(
      services,
      request,
      reply,
      session.method,
      async (trx) => {
        const found = (await membershipsOf(trx, session)).find(
          ({ workspace_id }) => workspace_id === request.body.workspace_id,
        )
        if (found === undefined)
          throw new Refusal('member_not_found', 'You cannot switch to this workspace. Sign in to it instead.')
        return found.member_id
      },
      session,
    )
  })
}
