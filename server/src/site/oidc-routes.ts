import type { FastifyInstance } from 'fastify'
import type { Db } from '../database/schema.ts'
import { logFields } from '../http/log-fields.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { CEREMONY_MS } from '../access/ceremonies.ts'
import { SignInQuery } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import { membersWithEmail } from '../access/member-queries.ts'
import type { OidcProblem } from '../access/oidc.ts'
import { oidcCookie } from '../access/session-cookie.ts'
import { beginSession } from './sign-in-routes.ts'

/** Browser redirects to the provider and back. Errors are redirects too. */
export function registerOidcRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { log, place } = services
  const back = (problem: OidcProblem | 'oidc_not_a_member'): string =>
    `${place().url}/sign-in?problem=${problem}`
  const provider = (): NonNullable<ConsoleServices['oidc']> => {
    if (services.oidc === undefined)
      throw new Refusal('route_not_found', 'No OpenID Connect provider is configured.')
    return services.oidc
  }

  const start = { schema: { querystring: SignInQuery } }
  scope.get<{ Querystring: SignInQuery }>('/oidc/start', start, async (request, reply) => {
    const oidc = provider()
    try {
      const { url, ceremony } = await oidc.start(pathBelowConsole(request.query.return_to))
      reply.header('set-cookie', oidcCookie(place()).set(ceremony, CEREMONY_MS / 1000))
      return reply.redirect(url, 303)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'oidc_unavailable') throw error
      log.warn({ err: error, ...logFields(request) }, 'OpenID Connect provider unavailable')
      return reply.redirect(back('oidc_unavailable'), 303)
    }
  })

  // The provider may add parameters of its own.
  const open = { config: { ignoresQuery: true } } as const
  scope.get('/oidc/callback', open, async (request, reply) => {
    const oidc = provider()
    const cookie = oidcCookie(place())
    const ceremony = cookie.read(request.headers.cookie)
    reply.header('set-cookie', cookie.clear())
    const callback = new URL(request.url, place().url)
    const outcome = await oidc.finish(callback, ceremony ?? '')
    if (outcome.is === 'problem') {
      log.warn(
        { err: outcome.cause, ...logFields(request) },
        `OpenID Connect sign-in failed: ${outcome.problem}`,
      )
      return reply.redirect(back(outcome.problem), 303)
    }
    const who = await memberFor(services, outcome.email)
    if (who === undefined) return reply.redirect(back('oidc_not_a_member'), 303)
    await beginSession(services, request, reply, 'oidc', who)
    return reply.redirect(place().url.replace(/\/console$/, '') + outcome.returnTo, 303)
  })
}

/** Signs in to the workspace that the member joined last. Without a membership, accepts an open invitation for the address. */
async function memberFor(
  { db, invitations }: ConsoleServices,
  email: string,
): Promise<((trx: Db) => Promise<MemberId>) | undefined> {
  const [member] = await membersWithEmail(db, email)
  if (member !== undefined) return async () => member.member_id
  const [invitation] = await invitations.openFor(email)
  return invitation === undefined ? undefined : (trx) => invitations.accept(trx, invitation)
}

/** Allows redirects to console pages only. */
const pathBelowConsole = (path: unknown): string =>
  typeof path === 'string' && /^\/console(\/[\w/.~?=&%-]*)?$/.test(path) && !path.includes('..')
    ? path
    : '/console'
