import { browserName, sessionOf } from '../access/sessions.ts'
import { sessionCookie } from '../access/console-place.ts'
import { changePerson } from '../access/members.ts'
import {
  addPasskey,
  labelPasskey,
  type Passkey,
  passkeysOf,
  removePasskey,
  shortPasskeyId,
} from '../access/passkeys.ts'
import { changeWorkspace } from '../access/workspaces.ts'
import { PUBLIC_KITS } from '../access/public-kits.ts'
import { rejectSsoAddress, signsInWithSso } from '../access/oidc.ts'
import type { Db } from '../database/schema.ts'
import { LANGUAGE_CODES, workspaceRow } from '../database/questions.ts'
import { sends } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Line, OneOf, OptionalOrNull } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { SessionId } from '../runtime/identifiers.ts'
import type { ConsoleServices } from './console-services.ts'
import { me, ANSWER, PasskeyName, PERSON } from './sign-in-routes.ts'
import { ceremonyOptions, type ConsoleResponse, returns } from './response-schemas.ts'

const access = { scope: 'session', role: 'self' } as const

/** The member's own account, sessions and passkeys, and the workspace settings. */
export const selfRoutes = [
  route('getMe', 'GET /me', {
    access,
    returns: returns('Me'),
    run: (services: ConsoleServices, call) => me(services, sessionOf(call)),
  }),
  route('changeWorkspace', 'PATCH /workspace', {
    access: { scope: 'session', role: 'owner' },
    body: sends({
      name: OptionalOrNull(Line(200)),
      public_kits: OptionalOrNull(OneOf(PUBLIC_KITS)),
      language: OptionalOrNull(OneOf(LANGUAGE_CODES)),
    }),
    returns: returns('Me'),
    async run(services: ConsoleServices, call) {
      const session = sessionOf(call)
      const { name, public_kits, language } = call.body
      const change = {
        ...(name == null ? {} : { name }),
        ...(public_kits == null ? {} : { publicKits: public_kits }),
        ...(language == null ? {} : { language }),
      }
      if (Object.keys(change).length > 0)
        await services.units.write(call.acting, 'changeWorkspace', (unit) => changeWorkspace(unit, change))
      return me(services, session)
    },
  }),
  route('changeMe', 'PATCH /me', {
    access,
    body: sends(PERSON),
    returns: returns('Me'),
    async run(services: ConsoleServices, call) {
      const session = sessionOf(call)
      const { email } = call.body
      await services.units.write(call.acting, 'changeMe', async (unit) => {
        // Single sign-on opens every workspace with the address that it proved.
        const isProved = services.oidc !== undefined && (await signsInWithSso(unit.db, session.email))
        if (email != null && (session.method === 'oidc' || isProved))
          throw new Refusal('email_fixed', 'Your sign-in provider decides your email address.')
        if (email != null) await rejectSsoAddress(services.oidc, unit.db, email)
        await changePerson(unit, session.memberId, call.body)
      })
      return me(services, session)
    },
  }),
  route('signOut', 'POST /sign-out', {
    access,
    async run({ sessions, place }: ConsoleServices, call, reply) {
      const session = sessionOf(call)
      await sessions.end(session, { only: session.sessionId })
      reply.header('set-cookie', sessionCookie(place()).clear())
    },
  }),
  route('signOutEverywhere', 'POST /sign-out-everywhere', {
    access,
    async run({ sessions, place }: ConsoleServices, call, reply) {
      await sessions.end(sessionOf(call), 'all')
      reply.header('set-cookie', sessionCookie(place()).clear())
    },
  }),
  route('listSessions', 'GET /sessions', {
    access,
    returns: returns('SessionList'),
    async run(services: ConsoleServices, call) {
      const { memberId, sessionId } = sessionOf(call)
      const rows = await services.sessions.ofMember(memberId)
      return { sessions: rows.map((row) => Object.assign(row, { current: row.session_id === sessionId })) }
    },
  }),
  route('endSession', 'DELETE /sessions/:session_id', {
    access,
    async run({ sessions }: ConsoleServices, call) {
      const ended = await sessions.end(sessionOf(call), { only: call.params.session_id as SessionId })
      if (ended === 0) throw new Refusal('session_not_found', 'Session not found. It may have ended already.')
    },
  }),
  route('endOtherSessions', 'POST /sessions/end-others', {
    access,
    async run({ sessions }: ConsoleServices, call) {
      const session = sessionOf(call)
      await sessions.end(session, { except: session.sessionId })
    },
  }),
  route('listPasskeys', 'GET /passkeys', {
    access,
    returns: returns('PasskeyList'),
    read: async (reader, call) => ({
      passkeys: (await passkeysOf(reader, sessionOf(call).memberId)).map(shown),
    }),
  }),
  route('startPasskey', 'POST /passkeys/options', {
    access,
    body: sends({}),
    returns: ceremonyOptions,
    async run({ db, passkeys }: ConsoleServices, call) {
      const { memberId, email, workspaceId } = sessionOf(call)
      const { name: workspace } = await workspaceRow(db, workspaceId)
      return passkeys.startRegistration({ id: memberId, email, workspace, memberId })
    },
  }),
  route('createPasskey', 'POST /passkeys', {
    access,
    body: sends({ ...ANSWER, label: OptionalOrNull(PasskeyName) }),
    returns: returns('OnePasskey'),
    prepare: ({ passkeys }: ConsoleServices, { body: { ceremony, response }, caller }) =>
      passkeys.register(sessionOf({ caller }).memberId, ceremony, response),
    async handle(unit, { body, request }, _services, made) {
      const { memberId, sessionId } = sessionOf(request)
      const name = body.label ?? browserName(request.headers['user-agent'])
      const row = await addPasskey(unit, memberId, made, name)
      // Adding it locked the workspace. Before, the session may have ended, and its passkeys with it.
      await rejectEndedSession(unit.db, sessionId)
      return { passkey: shown(row) }
    },
  }),
  route('changePasskey', 'PATCH /passkeys/:passkey_id', {
    access,
    body: sends({ label: PasskeyName }),
    returns: returns('OnePasskey'),
    async handle(unit, { params, body, request }) {
      const { memberId } = sessionOf(request)
      return { passkey: shown(await labelPasskey(unit, memberId, params.passkey_id, body.label)) }
    },
  }),
  route('removePasskey', 'DELETE /passkeys/:passkey_id', {
    access,
    handle: (unit, { params, request }, { oidc }: ConsoleServices) =>
      removePasskey(unit, sessionOf(request).memberId, params.passkey_id, oidc !== undefined),
  }),
]

async function rejectEndedSession(trx: Db, sessionId: SessionId): Promise<void> {
  const active = trx.selectFrom('sessions').select('session_id').where('session_id', '=', sessionId)
  if ((await active.where('ended_at', 'is', null).executeTakeFirst()) === undefined)
    throw new Refusal('session_required', 'Your session has ended. Sign in again.')
}

const shown = (row: Passkey): ConsoleResponse<'Passkey'> => ({
  passkey_id: shortPasskeyId(row),
  label: row.label,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  backed_up: row.backed_up,
})
