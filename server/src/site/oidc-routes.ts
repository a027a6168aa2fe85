import { Type } from 'typebox'
import { CEREMONY_MS } from '../access/ceremonies.ts'
import { oidcCookie } from '../access/console-place.ts'
import { type Oidc, type OidcProblem, choicesOf, openBySso, rememberedChoice } from '../access/oidc.ts'
import { logFields } from '../http/observe-requests.ts'
import { type Call, route } from '../http/route.ts'
import { OneOf } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { ConsoleServices } from './console-services.ts'
import { returns } from './response-schemas.ts'
import { ANYONE as access, beginSession, chosenWorkspace } from './sign-in-routes.ts'

const provider = ({ oidc }: ConsoleServices): Oidc => {
  if (oidc === undefined) throw new Refusal('route_not_found', 'No OpenID Connect provider is configured.')
  return oidc
}

const back = ({ place }: ConsoleServices, problem: OidcProblem | 'oidc_not_a_member'): string =>
  `${place().url}/sign-in?problem=${problem}`

const choiceOf = ({ place }: ConsoleServices, { request }: Pick<Call<'', unknown, {}>, 'request'>): string =>
  oidcCookie(place()).read(request.headers.cookie) ?? ''

/** Browser redirects to the provider and back. Errors are redirects too. */
export const oidcRoutes = [
  route('startOidc', 'GET /oidc/start', {
    access,
    query: { return_to: Type.Optional(Type.String()), ask: Type.Optional(OneOf(['workspace'])) },
    async send(services: ConsoleServices, { query: { return_to, ask }, request }, reply) {
      const oidc = provider(services)
      try {
        const { url, ceremony } = await oidc.start(pathBelowConsole(return_to), ask !== undefined)
        reply.header('set-cookie', oidcCookie(services.place()).set(ceremony, CEREMONY_MS / 1000))
        return reply.redirect(url, 303)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'oidc_unavailable') throw error
        services.log.warn({ err: error, ...logFields(request) }, 'OpenID Connect provider unavailable')
        return reply.redirect(back(services, 'oidc_unavailable'), 303)
      }
    },
  }),
  route('finishOidc', 'GET /oidc/callback', {
    access,
    // The provider may add parameters of its own.
    config: { ignoresQuery: true },
    async send(services: ConsoleServices, { request }, reply) {
      const { place, log } = services
      const oidc = provider(services)
      const cookie = oidcCookie(place())
      const ceremony = cookie.read(request.headers.cookie)
      reply.header('set-cookie', cookie.clear())
      const callback = new URL(request.url, place().url)
      const outcome = await oidc.finish(callback, ceremony ?? '')
      if (outcome.is === 'problem') {
        const { cause, problem } = outcome
        log.warn({ err: cause, ...logFields(request) }, `OpenID Connect sign-in failed: ${problem}`)
        return reply.redirect(back(services, problem), 303)
      }
      const { email, returnTo, asks } = outcome
      const choices = await choicesOf(services, email)
      if (choices.length === 0) return reply.redirect(back(services, 'oidc_not_a_member'), 303)
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
    },
  }),
  route('listWorkspaceChoices', 'GET /oidc/choices', {
    access,
    returns: returns('WorkspaceChoices'),
    async run(services: ConsoleServices, call) {
      const { email } = await provider(services).choice.find(choiceOf(services, call))
      const choices = (await choicesOf(services, email)).map(({ workspaceId, name, role, is }) => {
        return { workspace_id: workspaceId, name, role, is }
      })
      return { email, choices }
    },
  }),
  route('chooseWorkspace', 'POST /oidc/choose', {
    access,
    body: chosenWorkspace,
    returns: returns('ChosenWorkspace'),
    async run(services: ConsoleServices, call, reply) {
      const { email, returnTo } = await provider(services).choice.end(choiceOf(services, call))
      reply.header('set-cookie', oidcCookie(services.place()).clear())
      const workspaceId = call.body.workspace_id as WorkspaceId
      await beginSession(services, call.request, reply, 'oidc', (trx) =>
        openBySso(services, trx, email, workspaceId),
      )
      return { return_to: returnTo }
    },
  }),
]

/** Allows redirects to console pages only. */
const pathBelowConsole = (path: unknown): string =>
  typeof path === 'string' && /^\/console(\/[\w/.~?=&%-]*)?$/.test(path) && !path.includes('..')
    ? path
    : '/console'
