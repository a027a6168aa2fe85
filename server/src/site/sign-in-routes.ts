import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInMethod } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { sends } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Email, Line, OptionalOrNull } from '../http/schema-parts.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { browserName, type ConsoleSession, sessionOf } from '../access/sessions.ts'
import type { ConsoleServices } from './console-services.ts'
import { acceptInvitation, findInvitation } from '../access/invitations.ts'
import { changePerson } from '../access/members.ts'
import { confirmAddress } from '../access/operators.ts'
import { changeWorkspace } from '../access/workspaces.ts'
import { workspaceRow } from '../database/questions.ts'
import { findMember, membershipsOf, findMemberById } from '../access/member-queries.ts'
import { addPasskey, passkeysOf, signInFailed } from '../access/passkeys.ts'
import { ceremonyOptions, type ConsoleResponse, returns } from './response-schemas.ts'
import { cannotSwitch, openBySso, rejectSsoAddress, signsInWithSso } from '../access/oidc.ts'
import { sessionCookie } from '../access/console-place.ts'
import { BOUNDARY } from '@kitseal/kit/internal'
import { readFrozen } from '../log/freeze-log.ts'
import { planLimits } from '../settings/plan.ts'

export const ANYONE = { scope: 'session', role: 'anyone' } as const

/** A WebAuthn response, which @simplewebauthn/server validates. */
const PasskeyResponse = Type.Unsafe<object>({ type: 'object' })
export const ANSWER = { ceremony: Line(100), response: PasskeyResponse }
export const PasskeyName = Line(100)
export const PERSON = { name: OptionalOrNull(Line(100)), email: OptionalOrNull(Email()) }
export const chosenWorkspace = sends({ workspace_id: Line(200) })

/** Sign-in by invitation link and by passkey. */
export const signInRoutes = [
  route('getInvitation', 'POST /invitation', {
    access: ANYONE,
    body: sends({ token: Line(200) }),
    returns: returns('OpenInvitation'),
    async run({ db, clock, oidc }: ConsoleServices, { body }) {
      const { workspace_id, email, role, expires_at } = await findInvitation(db, clock, body.token)
      const member = await findMember(db, workspace_id, email)
      const { name, named_by } = await workspaceRow(db, workspace_id)
      return {
        email,
        workspace: { workspace_id, name, named_by },
        role,
        expires_at,
        purpose: member === undefined ? ('join' as const) : ('sign_in' as const),
        sso_required: oidc !== undefined && (await signsInWithSso(db, email)),
      }
    },
  }),
  route('startInvitationPasskey', 'POST /invitation/options', {
    access: ANYONE,
    /** With the address that the passkey is for. */
    body: sends({ token: Line(200), email: PERSON.email }),
    returns: ceremonyOptions,
    async run(services: ConsoleServices, { body }) {
      const { db, clock, passkeys } = services
      const { invitation_id, workspace_id, email } = await findInvitation(db, clock, body.token)
      await rejectSsoAddress(services.oidc, db, email)
      const member = await findMember(db, workspace_id, email)
      const { name: workspace } = await workspaceRow(db, workspace_id)
      const named = { email: body.email ?? email, workspace }
      return passkeys.startRegistration({ id: invitation_id, ...named, memberId: member?.member_id })
    },
  }),
  route('acceptInvitation', 'POST /invitation/accept', {
    access: ANYONE,
    body: sends({
      token: Line(200),
      ceremony: OptionalOrNull(ANSWER.ceremony),
      response: OptionalOrNull(PasskeyResponse),
      label: OptionalOrNull(PasskeyName),
      ...PERSON,
      workspace_name: OptionalOrNull(Line(200)),
    }),
    returns: returns('Me'),
    async run(services: ConsoleServices, { body, request }, reply) {
      const { db, clock, passkeys, units } = services
      const { token, ceremony, response, workspace_name: name } = body
      if ((ceremony == null) !== (response == null))
        throw new Refusal('body_invalid', 'Send both ceremony and response, or neither.')
      const invitation = await findInvitation(db, clock, token)
      if (name != null && invitation.role !== 'owner')
        throw new Refusal('role_insufficient', 'Only an owner can name the workspace.')
      const made =
        ceremony == null || response == null
          ? undefined
          : await passkeys.register(invitation.invitation_id, ceremony, response)
      const label = body.label ?? browserName(request.headers['user-agent'])
      return signIn(services, request, reply, 'link', async (trx) => {
        for (const email of [invitation.email, body.email ?? invitation.email])
          await rejectSsoAddress(services.oidc, trx, email)
        const memberId = await acceptInvitation(units, trx, invitation)
        const { workspace_id: workspaceId } = invitation
        const actor = { is: 'member', memberId } as const
        const unit = units.within(trx, { workspaceId, actor })
        if (made !== undefined) await addPasskey(unit, memberId, made, label)
        await changePerson(unit, memberId, body)
        if (invitation.invited_by === 'service') await confirmAddress(unit, memberId)
        if (name != null) await changeWorkspace(unit, { name })
        return memberId
      })
    },
  }),
  route('startSignIn', 'POST /sign-in/options', {
    access: ANYONE,
    body: sends({}),
    returns: ceremonyOptions,
    run: ({ passkeys }: ConsoleServices) => passkeys.startSignIn(),
  }),
  route('signIn', 'POST /sign-in', {
    access: ANYONE,
    body: sends(ANSWER),
    returns: returns('Me'),
    async run(services: ConsoleServices, { body: { ceremony, response }, request }, reply) {
      const { memberId, record } = await services.passkeys.signIn(ceremony, response)
      return signIn(services, request, reply, 'passkey', async (trx) => {
        if (!(await record(trx))) throw signInFailed()
        return memberId
      })
    },
  }),
  /** Continues a session in another workspace of the same person. */
  route('switchWorkspace', 'POST /switch', {
    access: { scope: 'session', role: 'self' },
    body: chosenWorkspace,
    returns: returns('Me'),
    async run(services: ConsoleServices, call, reply) {
      const session = sessionOf(call)
      const choose = async (trx: Db): Promise<MemberId> => {
        const found = (await membershipsOf(trx, session)).find(
          ({ workspace_id }) => workspace_id === call.body.workspace_id,
        )
        if (found === undefined) throw cannotSwitch()
        if (session.method !== 'oidc') return found.member_id
        return openBySso(services, trx, session.email, found.workspace_id)
      }
      return signIn(services, call.request, reply, session.method, choose, session)
    },
  }),
]

/** Starts a session in the transaction that authenticates the member, and ends the browser's previous session. */
export async function beginSession(
  { db, sessions, place }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  method: SignInMethod,
  who: (trx: Db) => Promise<MemberId>,
  continues?: ConsoleSession,
): Promise<string> {
  const browser = browserName(request.headers['user-agent'])
  const cookie = sessionCookie(place())
  const before = await sessions.authenticate(cookie.read(request.headers.cookie), false)
  const secret = await transact(db, async (trx) =>
    sessions.begin(trx, { memberId: await who(trx), method, browser }, continues),
  )
  if (before !== undefined) await sessions.end(before.session, { only: before.session.sessionId })
  reply.header('set-cookie', cookie.set(secret, sessions.limits.wholeMs / 1000))
  return secret
}

async function signIn(
  services: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  method: SignInMethod,
  who: (trx: Db) => Promise<MemberId>,
  continues?: ConsoleSession,
): Promise<ConsoleResponse<'Me'>> {
  const secret = await beginSession(services, request, reply, method, who, continues)
  const started = await services.sessions.authenticate(secret, false)
  if (started === undefined) throw new Error('the new session has already ended')
  return me(services, started.session)
}

/** The signed-in member with workspace, session and permissions. */
export async function me(services: ConsoleServices, session: ConsoleSession): Promise<ConsoleResponse<'Me'>> {
  const { plan } = session.caller
  const workspace = await workspaceRow(services.db, session.workspaceId)
  const person = await findMemberById(services.db, session.memberId)
  if (person === undefined) throw new Error(`${session.memberId} was removed`)
  const passkeys = await services.units.read(session.caller, (reader) => passkeysOf(reader, session.memberId))
  const frozen = await readFrozen(services.db)
  return {
    member: { member_id: person.member_id, email: person.email, name: person.name, role: person.role },
    workspace: {
      workspace_id: workspace.workspace_id,
      name: workspace.name,
      named_by: workspace.named_by,
      public_kits: workspace.visibility,
      language: workspace.language,
      entitled: plan.apiAccess,
      plan: { name: plan.name, ...planLimits(plan) },
    },
    session: {
      session_id: session.sessionId,
      created_at: session.createdAt,
      ends_at: session.endsAt,
      idle_minutes: services.config.session.idleMinutes,
      method: session.method,
    },
    workspaces: (await membershipsOf(services.db, session)).map(({ workspace_id, name, role }) => ({
      workspace_id,
      name,
      role,
    })),
    passkeys: passkeys.length,
    issuer: services.issuer(),
    is_operator: session.isOperator,
    sends_mail: services.mail.isOn,
    boundary: BOUNDARY,
    log_frozen: frozen === undefined ? null : { since: frozen.at, reason: frozen.reason },
  }
}
