import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logFields } from '../http/observe-requests.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { CEREMONY_MS } from '../access/ceremonies.ts'
import { SignInQuery, SwitchBody } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import type { OidcProblem } from '../access/oidc.ts'
import { choicesOf, openBySso, rememberedChoice } from '../access/single-sign-on.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import { oidcCookie } from '../access/console-place.ts'
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
      const { return_to, ask } = request.query
      const { url, ceremony } = await oidc.start(pathBelowConsole(return_to), ask !== undefined)
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
    const { email, returnTo, asks } = outcome
    const choices = await choicesOf(services, email)
    if (choices.length === 0) return reply.redirect(back('oidc_not_a_member'), 303)
    const known = asks ? undefined : rememberedChoice(choices)
    if (known === undefined) {
      const choice = await oidc.choice.begin({ email, returnTo, asks })
      reply.header('set-cookie', cookie.set(choice, CEREMONY_MS / 1000))
      return reply.redirect(`${place().url}/choose-workspace`, 303)
    }
    const { workspaceId } = known
    await beginSession(services, request, reply, 'oidc', (trx) =>
      openBySso(services, trx, email, workspaceId),
    )
    return reply.redirect(place().url.replace(/\/console$/, '') + returnTo, 303)
  })

  const choiceOf = ({ headers }: FastifyRequest): string => oidcCookie(place()).read(headers.cookie) ?? ''
  scope.get(
    '/oidc/choices',
    { schema: returns('WorkspaceChoices') },
    async (request): Promise<ConsoleResponse<'WorkspaceChoices'>> => {
      const { email } = await provider().choice.find(choiceOf(request))
      const choices = (await choicesOf(services, email)).map(({ workspaceId, name, role, is }) => {
        return { workspace_id: workspaceId, name, role, is }
      })
      return { email, choices }
    },
  )

  const choose = { schema: { body: SwitchBody, ...returns('ChosenWorkspace') } }
  scope.post<{ Body: SwitchBody }>(
    '/oidc/choose',
    choose,
    async (request, reply): Promise<ConsoleResponse<'ChosenWorkspace'>> => {
      const { email, returnTo } = await provider().choice.end(choiceOf(request))
      reply.header('set-cookie', oidcCookie(place()).clear())
      const workspaceId = request.body.workspace_id as WorkspaceId
      await beginSession(services, request, reply, 'oidc', (trx) =>
        openBySso(services, trx, email, workspaceId),
      )
      return { return_to: returnTo }
    },
  )
}

/** Allows redirects to console pages only. */
const pathBelowConsole = (path: unknown): string =>
  typeof path === 'string' && /^\/console(\/[\w/.~?=&%-]*)?$/.test(path) && !path.includes('..')
    ? path
    : '/console'
