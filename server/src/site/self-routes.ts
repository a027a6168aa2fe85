import type { FastifyInstance } from 'fastify'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { PasskeysTable } from '../database/console-schema.ts'
import type { SessionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { browserName } from '../access/browser-name.ts'
import type { ConsoleServices } from './console-services.ts'
import { EmptyBody, NewPasskeyBody, PasskeyBody, PersonBody, WorkspaceBody } from './console-schemas.ts'
import { sessionOf } from '../access/resolve-session.ts'
import { me } from './me.ts'
import { changePerson } from '../access/members.ts'
import {
  addPasskey,
  labelPasskey,
  passkeysOf,
  removePasskey,
  shortPasskeyId,
} from '../access/passkey-store.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import { rejectSsoAddress, signsInWithSso } from '../access/single-sign-on.ts'
import { sessionCookie } from '../access/console-place.ts'

/** The member's own account, sessions and passkeys, and the workspace settings. */
export function registerSelfRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, sessions, workspaces, place } = services

  scope.get('/me', { schema: returns('Me') }, (request) => me(services, sessionOf(request)))

  scope.patch<{ Body: WorkspaceBody }>(
    '/workspace',
    { schema: { body: WorkspaceBody, ...returns('Me') } },
    async (request) => {
      const session = sessionOf(request)
      const { name, public_kits, language } = request.body
      const change = {
        ...(name == null ? {} : { name }),
        ...(public_kits == null ? {} : { publicKits: public_kits }),
        ...(language == null ? {} : { language }),
      }
      if (Object.keys(change).length > 0)
        await workspaces.update(session.workspaceId, change, session.caller.actor)
      return me(services, session)
    },
  )

  scope.patch<{ Body: PersonBody }>(
    '/me',
    { schema: { body: PersonBody, ...returns('Me') } },
    async (request) => {
      const session = sessionOf(request)
      const { email } = request.body
      await transact(db, async (trx) => {
        // Single sign-on opens every workspace with the address that it proved.
        const isProved = services.oidc !== undefined && (await signsInWithSso(trx, session.email))
        if (email != null && (session.method === 'oidc' || isProved))
          throw new Refusal('email_fixed', 'Your sign-in provider decides your email address.')
        if (email != null) await rejectSsoAddress(services, trx, email)
        await changePerson(trx, clock, session, request.body)
      })
      return me(services, session)
    },
  )

  scope.post('/sign-out', async (request, reply) => {
    const session = sessionOf(request)
    await sessions.end(session, { only: session.sessionId })
    return reply.header('set-cookie', sessionCookie(place()).clear()).code(204).send()
  })

  scope.post('/sign-out-everywhere', async (request, reply) => {
    await sessions.end(sessionOf(request), 'all')
    return reply.header('set-cookie', sessionCookie(place()).clear()).code(204).send()
  })

  scope.get(
    '/sessions',
    { schema: returns('SessionList') },
    async (request): Promise<ConsoleResponse<'SessionList'>> => {
      const { memberId, sessionId } = sessionOf(request)
      const rows = await sessions.ofMember(memberId)
      return {
        sessions: rows.map(({ session_id, created_at, last_seen_at, ends_at, method, browser }) => ({
          session_id,
          created_at,
          last_seen_at,
          ends_at,
          method,
          browser,
          current: session_id === sessionId,
        })),
      }
    },
  )

  scope.delete<{ Params: { readonly session_id: string } }>(
    '/sessions/:session_id',
    async (request, reply) => {
      const ended = await sessions.end(sessionOf(request), { only: request.params.session_id as SessionId })
      if (ended === 0) throw new Refusal('session_not_found', 'Session not found. It may have ended already.')
      return reply.code(204).send()
    },
  )

  scope.post('/sessions/end-others', async (request, reply) => {
    const session = sessionOf(request)
    await sessions.end(session, { except: session.sessionId })
    return reply.code(204).send()
  })

  registerPasskeyRoutes(scope, services)
}

function registerPasskeyRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, passkeys } = services

  scope.get(
    '/passkeys',
    { schema: returns('PasskeyList') },
    async (request): Promise<ConsoleResponse<'PasskeyList'>> => ({
      passkeys: (await passkeysOf(db, sessionOf(request).memberId)).map(shown),
    }),
  )

  scope.post('/passkeys/options', { schema: { body: EmptyBody } }, async (request) => {
    const { memberId, email, workspaceId } = sessionOf(request)
    const workspace = await services.workspaces.find(workspaceId)
    const known = await passkeysOf(db, memberId)
    return passkeys.startRegistration({ id: memberId, email, workspace: workspace?.name ?? '', known })
  })

  const createPasskey = { schema: { body: NewPasskeyBody, ...returns('OnePasskey', 201) } }
  scope.post<{ Body: NewPasskeyBody }>('/passkeys', createPasskey, async (request, reply) => {
    const session = sessionOf(request)
    const { ceremony, response, label } = request.body
    const made = await passkeys.register(session.memberId, ceremony, response)
    const name = label ?? browserName(request.headers['user-agent'])
    const row = await transact(db, async (trx) => {
      const added = await addPasskey(trx, clock, session, made, name)
      // Adding it locked the workspace. Before, the session may have ended, and its passkeys with it.
      await rejectEndedSession(trx, session.sessionId)
      return added
    })
    reply.code(201)
    return { passkey: shown(row) }
  })

  scope.patch<{ Params: { readonly passkey_id: string }; Body: PasskeyBody }>(
    '/passkeys/:passkey_id',
    { schema: { body: PasskeyBody, ...returns('OnePasskey') } },
    async (request) => {
      const { passkey_id } = request.params
      const row = await labelPasskey(db, clock, sessionOf(request), passkey_id, request.body.label)
      return { passkey: shown(row) }
    },
  )

  scope.delete<{ Params: { readonly passkey_id: string } }>(
    '/passkeys/:passkey_id',
    async (request, reply) => {
      const mayBeLast = services.oidc !== undefined
      await removePasskey(db, clock, sessionOf(request), request.params.passkey_id, mayBeLast)
      return reply.code(204).send()
    },
  )
}

async function rejectEndedSession(trx: Db, sessionId: SessionId): Promise<void> {
  const active = trx.selectFrom('sessions').select('session_id').where('session_id', '=', sessionId)
  if ((await active.where('ended_at', 'is', null).executeTakeFirst()) === undefined)
    throw new Refusal('session_required', 'Your session has ended. Sign in again.')
}

const shown = (row: PasskeysTable): ConsoleResponse<'Passkey'> => ({
  passkey_id: shortPasskeyId(row),
  label: row.label,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  backed_up: row.backed_up === 1,
})
